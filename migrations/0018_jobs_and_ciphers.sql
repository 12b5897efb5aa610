-- What devices are asked to do once. The hub of each device reads its own with its rows, and writes the result.
CREATE TABLE network_jobs (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  network_id INTEGER NOT NULL REFERENCES networks (id) ON DELETE CASCADE,
  job_id TEXT NOT NULL, -- the same for all devices of one call
  kind TEXT NOT NULL CHECK (kind IN ('kill_user', 'reset_respawn', 'resend')),
  router_id INTEGER NOT NULL REFERENCES routers (id) ON DELETE CASCADE, -- the device that runs it
  params TEXT NOT NULL CHECK (json_valid(params)),
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed', 'expired')),
  reason TEXT NOT NULL DEFAULT '', -- the device's own
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (job_id, router_id)
) STRICT;
CREATE INDEX network_jobs_pending ON network_jobs (router_id, state);
CREATE INDEX network_jobs_network ON network_jobs (network_id, created_at);

-- When the ciphers were switched last, and when a device last confirmed the document that was its newest then.
ALTER TABLE networks ADD COLUMN ciphers_at INTEGER;
ALTER TABLE router_states ADD COLUMN config_confirmed_at INTEGER;
