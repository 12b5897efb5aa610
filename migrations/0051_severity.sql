-- Health of a network as its hub has decided it, for the order of lists: 0 never came online, 1 normal, 2 partly abnormal, 3 down.
ALTER TABLE networks ADD COLUMN severity INTEGER NOT NULL DEFAULT 0;
-- 1: the hub sees one of several paths of this member up (单中心).
ALTER TABLE network_members ADD COLUMN single_center INTEGER NOT NULL DEFAULT 0 CHECK (single_center IN (0, 1));
CREATE INDEX network_members_single ON network_members (network_id, router_id) WHERE single_center = 1;
