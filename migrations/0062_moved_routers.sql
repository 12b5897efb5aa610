-- Former hub of a router that has moved to another one: it forgets what it holds, and does not empty the device.
ALTER TABLE routers ADD COLUMN moved_from TEXT;
CREATE UNIQUE INDEX routers_moved_from ON routers (moved_from) WHERE moved_from IS NOT NULL;
CREATE INDEX routers_moved ON routers (account_id) WHERE moved_from IS NOT NULL;
