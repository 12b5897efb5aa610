-- Names of hubs, and the hub outbox.

-- A hub's name: its place, a dot, 128 random bits. Row ids come again after deletions and restored databases; names never do.
ALTER TABLE accounts ADD COLUMN hub TEXT NOT NULL DEFAULT '';
UPDATE accounts SET hub = 'default.' || lower(hex(randomblob(16)));
CREATE UNIQUE INDEX accounts_hub ON accounts (hub);

ALTER TABLE routers ADD COLUMN hub TEXT NOT NULL DEFAULT '';
UPDATE routers SET hub = 'default.' || lower(hex(randomblob(16)));
CREATE UNIQUE INDEX routers_hub ON routers (hub);

ALTER TABLE networks ADD COLUMN hub TEXT NOT NULL DEFAULT '';
UPDATE networks SET hub = 'default.' || lower(hex(randomblob(16)));
CREATE UNIQUE INDEX networks_hub ON networks (hub);

-- Transactional outbox: written in the batch of the change, deleted when the hub has answered.
CREATE TABLE hub_outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('router', 'network', 'account')),
  hub TEXT NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('refresh', 'remove', 'resend')),
  tries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL -- when the sweep takes it, unless it was delivered before
) STRICT;
CREATE INDEX hub_outbox_due ON hub_outbox (due_at);

-- config_stale (routers whose hub had not compiled their rows yet) is replaced by outbox rows.
INSERT INTO hub_outbox (id, kind, hub, op, due_at)
SELECT lower(hex(randomblob(16))), 'router', r.hub, 'refresh', 0
FROM router_states s JOIN routers r ON r.id = s.router_id WHERE s.config_stale = 1;
DROP INDEX router_states_stale;
ALTER TABLE router_states DROP COLUMN config_stale;

-- Index for the sweep of the minute cron.
CREATE INDEX codes_sent ON codes (sent_at);
CREATE INDEX recoveries_expiry ON recoveries (expires_at);
CREATE INDEX token_links_expiry ON token_links (expires_at);
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX services_start ON services (start_at);
CREATE INDEX services_expiry ON services (expire_at);
