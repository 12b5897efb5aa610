-- Sign-in by phone looks through the members of every account.
CREATE INDEX routers_phone_any ON routers (phone, area_code) WHERE phone IS NOT NULL;

-- Records older than their days are deleted by time.
CREATE INDEX software_login_logs_at ON software_login_logs (at);

-- A dial that its centre goes on reporting; one that it no longer does is closed when it was last seen.
ALTER TABLE dial_logs ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX dial_logs_open ON dial_logs (seen_at) WHERE end_at IS NULL;
CREATE INDEX dial_logs_start ON dial_logs (start_at);
