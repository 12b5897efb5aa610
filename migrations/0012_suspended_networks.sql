-- Since when a network is over quota; null while it works. Those that were suspended before this release count from it on.
ALTER TABLE networks ADD COLUMN suspended_at INTEGER;
UPDATE networks SET suspended_at = unixepoch() * 1000 WHERE status = 0;
-- 1: suspended for so long that no document names it any more. Set and reset by the minute cron, with the refresh of the hubs.
ALTER TABLE networks ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1));
CREATE INDEX networks_suspended ON networks (status, withdrawn, suspended_at);
