-- Id of the request or cron run that a notice of a hub comes from, and the due time that it began with, which a retry moves;
-- '' and NULL by an earlier release.
ALTER TABLE hub_outbox ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
ALTER TABLE hub_outbox ADD COLUMN first_due_at INTEGER;

-- Routers that the operator's status counts: those that are there, that do not answer, and whose document is not applied. A
-- software member has no remote_host.
CREATE INDEX router_states_present ON router_states (router_id)
WHERE presence IN ('online', 'reconnecting', 'flapping') AND remote_host IS NOT NULL;
CREATE INDEX router_states_unreadable ON router_states (unreadable_since) WHERE unreadable_since IS NOT NULL;
CREATE INDEX router_states_unapplied ON router_states (config_at)
WHERE config_state IN ('pushing', 'failed', 'reverted', 'unsynced');
