-- Logs by their member, whatever it is called by now, and dials of hardware.

-- The member, because names change; null: a row of an earlier release.
ALTER TABLE connection_logs ADD COLUMN router_id INTEGER;

-- 1: a time in which a link of a hardware member was up, as the end that dials wrote it.
ALTER TABLE dial_logs ADD COLUMN is_link INTEGER NOT NULL DEFAULT 0 CHECK (is_link IN (0, 1));
-- What overlaps a range: a dial that lasts ends after every other one.
CREATE INDEX dial_logs_until ON dial_logs (account_id, mode, coalesce(end_at, 9007199254740991), start_at);
-- Kept from their end on, so that one that lasts for longer stays.
CREATE INDEX dial_logs_ended ON dial_logs (end_at) WHERE end_at IS NOT NULL;
DROP INDEX dial_logs_start;
