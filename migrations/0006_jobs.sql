-- Minute cron: time of each job's last run, and indexes for what the jobs select.

CREATE TABLE job_runs (
  job TEXT PRIMARY KEY,
  at INTEGER NOT NULL -- up to here its work is done
) STRICT;

-- Open sessions by expiry; ended ones are left out.
CREATE INDEX sessions_open ON sessions (expires_at) WHERE ended_at IS NULL;
DROP INDEX sessions_expiry;
