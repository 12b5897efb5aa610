-- The member that dialled and the centre or node that it reached, because names change; null: a record of before, or of a deleted member.
ALTER TABLE dial_logs ADD COLUMN router_id INTEGER;
ALTER TABLE dial_logs ADD COLUMN link_id INTEGER;
UPDATE dial_logs SET
  router_id = (SELECT r.id FROM routers r WHERE r.account_id = dial_logs.account_id AND r.name = dial_logs.router_name),
  link_id = CAST(substr(key, 1, instr(key, ':') - 1) AS INTEGER)
WHERE end_at IS NULL;
CREATE INDEX dial_logs_router_open ON dial_logs (router_id) WHERE end_at IS NULL;
CREATE INDEX dial_logs_link_open ON dial_logs (link_id) WHERE end_at IS NULL;

-- Of a software member: the state of which its account's hub was notified last, while a newer one waits for it; null: none does.
ALTER TABLE router_states ADD COLUMN notified_presence TEXT
  CHECK (notified_presence IN ('never', 'online', 'reconnecting', 'offline', 'flapping', 'disabled'));
CREATE INDEX router_states_unnotified ON router_states (router_id) WHERE notified_presence IS NOT NULL;
