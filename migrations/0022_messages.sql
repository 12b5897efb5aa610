-- What a message concerns, '' where nothing: a role limited to networks sees only those of its networks.
ALTER TABLE messages ADD COLUMN network_number TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN router_name TEXT NOT NULL DEFAULT '';
-- Key of the only reader ('main:1', 'ram:7'), where it is meant for one person; '' for everybody of the account.
ALTER TABLE messages ADD COLUMN person TEXT NOT NULL DEFAULT '';
UPDATE messages SET type = CASE type WHEN '组网' THEN '服务' ELSE '系统' END
WHERE type NOT IN ('系统', '服务', '告警', '工单', '安全'); -- worker/contract/limits.ts MESSAGE.types

-- What a person has read or deleted; without a row a message is unread.
CREATE TABLE message_marks (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  person TEXT NOT NULL, -- 'main:1', 'ram:7'
  account_id INTEGER NOT NULL,
  read_at INTEGER,
  deleted_at INTEGER,
  UNIQUE (message_id, person)
) STRICT;
-- So far a message was read for the whole account.
INSERT INTO message_marks (message_id, person, account_id, read_at)
SELECT id, 'main:' || account_id, account_id, created_at FROM messages WHERE status = 1;
DROP INDEX messages_account;
ALTER TABLE messages DROP COLUMN status;
CREATE INDEX messages_account ON messages (account_id, id DESC);
CREATE INDEX messages_created ON messages (created_at);

-- Hosts on which an announcement is shown, all of them where the list is empty.
ALTER TABLE announcements ADD COLUMN hosts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(hosts));

-- Warnings that were sent of a service's term, in days before its end; 0 is the end itself.
CREATE TABLE service_warnings (
  id INTEGER PRIMARY KEY,
  service_id INTEGER NOT NULL REFERENCES services (id) ON DELETE CASCADE,
  expire_at INTEGER NOT NULL,
  days INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (service_id, expire_at, days)
) STRICT;
-- When the minute cron looks at a service again; NULL where nothing of its term is left to warn of.
ALTER TABLE services ADD COLUMN warn_at INTEGER DEFAULT 0;
UPDATE services SET warn_at = NULL WHERE expire_at <= unixepoch() * 1000;
CREATE INDEX services_warn ON services (warn_at) WHERE warn_at IS NOT NULL;
