-- Differences of versions keep the keys of the members that they name (routers.uid) beside the ids, which come again and
-- under which an undo does not restore a member: {setting, router_id, before, after, uids: {id: uid}}.

-- Members that were there at the time of the version; for one that is gone there is no key.
UPDATE network_versions SET changes = (
  SELECT json_group_array(json_set(c.value, '$.uids', json((
    SELECT json_group_object(CAST(r.id AS TEXT), coalesce(r.uid, r.hub)) FROM (
      SELECT DISTINCT t.value AS id FROM json_tree(c.value) t
      WHERE t.type = 'integer' AND t.key IN ('router_id', 'main', 'secondary', 'server', 'serverId', 'clientId')) named
    JOIN routers r ON r.id = named.id
    WHERE r.account_id = network_versions.account_id AND r.created_at <= network_versions.at))))
  FROM json_each(network_versions.changes) c)
WHERE changes <> '[]';
