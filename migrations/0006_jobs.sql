-- What the minute cron selects by, and when it last did.

CREATE TABLE job_runs (
  job TEXT PRIMARY KEY,
  at INTEGER NOT NULL -- up to here its work is done
) STRICT;

-- Sessions whose time is over are found without those that have ended already.
CREATE INDEX sessions_open ON sessions (expires_at) WHERE ended_at IS NULL;
DROP INDEX sessions_expiry;
