-- The sweep of the minute cron finds what is older than it is kept.
CREATE INDEX audit_logs_at ON audit_logs (at);
CREATE INDEX connection_logs_at ON connection_logs (at);

-- The last renewal of a session, whichever of its tokens was shown, with its address and place; 0 before the first one.
ALTER TABLE sessions ADD COLUMN refresh_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN refresh_ip TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN refresh_place TEXT NOT NULL DEFAULT '';
