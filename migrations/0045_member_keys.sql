-- A key of a member that never changes: row ids come again after a deletion, and undo restores a member under another one.

-- The name of the member's first hub. Null: a row of the release before, which the cron fills.
ALTER TABLE routers ADD COLUMN uid TEXT;
UPDATE routers SET uid = hub WHERE hub <> '';
CREATE UNIQUE INDEX routers_uid ON routers (uid);

-- 1: the device can carry a tunnel to a directory; null: it has not named its capabilities.
ALTER TABLE router_states ADD COLUMN tunnel INTEGER CHECK (tunnel IN (0, 1));

-- Records by their member; null: nobody's. A restored directory member kept its time of creation but not its id, so that
-- its own records are those under its user name alone.
ALTER TABLE connection_logs ADD COLUMN router_uid TEXT;
UPDATE connection_logs SET router_uid = (SELECT r.uid FROM routers r
  WHERE r.id = coalesce(router_id, (SELECT n.id FROM routers n WHERE n.name = router_name))
    AND r.account_id = connection_logs.account_id AND r.created_at <= at);

ALTER TABLE software_login_logs ADD COLUMN router_uid TEXT;
UPDATE software_login_logs SET router_uid = (SELECT r.uid FROM routers r
  WHERE r.id = coalesce(router_id, (SELECT n.id FROM routers n WHERE n.name = router_name))
    AND r.account_id = software_login_logs.account_id AND r.created_at <= at
    AND (r.source <> 'ldap' OR lower(substr(r.name, 1, instr(r.name, '@'))) = lower(substr(router_name, 1, instr(router_name, '@')))));

ALTER TABLE dial_logs ADD COLUMN router_uid TEXT;
UPDATE dial_logs SET router_uid = (SELECT r.uid FROM routers r
  WHERE r.id = coalesce(router_id, (SELECT n.id FROM routers n WHERE n.name = router_name))
    AND r.account_id = dial_logs.account_id AND r.created_at <= start_at
    AND (r.source <> 'ldap' OR lower(substr(r.name, 1, instr(r.name, '@'))) = lower(substr(router_name, 1, instr(router_name, '@')))));

DROP INDEX software_login_logs_member;
CREATE INDEX software_login_logs_member ON software_login_logs (router_uid, at DESC);
DROP INDEX dial_logs_member;
CREATE INDEX dial_logs_member ON dial_logs (router_uid, mode, start_at DESC);
