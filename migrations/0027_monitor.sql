-- Monitoring of an account; without a row it is off and everything is as by default (worker/contract/alert.ts).
CREATE TABLE monitor_settings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  enabled INTEGER NOT NULL DEFAULT 0 CHECK (enabled IN (0, 1)),
  email_confirm INTEGER NOT NULL DEFAULT 0 CHECK (email_confirm IN (0, 1)),
  webhook_confirm INTEGER NOT NULL DEFAULT 0 CHECK (webhook_confirm IN (0, 1)),
  all_routers INTEGER NOT NULL DEFAULT 1 CHECK (all_routers IN (0, 1)),
  rules TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(rules)), -- switch, delay and severity of each event that was set
  quiet_on INTEGER NOT NULL DEFAULT 0 CHECK (quiet_on IN (0, 1)),
  quiet_start INTEGER NOT NULL DEFAULT 1320 CHECK (quiet_start BETWEEN 0 AND 1439), -- minutes of the day in Asia/Shanghai
  quiet_end INTEGER NOT NULL DEFAULT 480 CHECK (quiet_end BETWEEN 0 AND 1439),
  contacts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(contacts)), -- uuids of contacts that are mailed
  escalation TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(escalation)), -- … where nobody acknowledges
  updated_at INTEGER NOT NULL
) STRICT;

-- Members that were chosen; they count only where all_routers is 0.
CREATE TABLE monitor_routers (
  account_id INTEGER NOT NULL,
  router_id INTEGER PRIMARY KEY REFERENCES routers (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX monitor_routers_account ON monitor_routers (account_id);

-- Nothing is sent of these until then.
CREATE TABLE monitor_mutes (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('all', 'router', 'network')),
  target TEXT NOT NULL, -- router name, network number, '' of all
  until_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, kind, target)
) STRICT;

-- What people ask of alerts and deliveries, until the account's hub has done it.
CREATE TABLE alert_commands (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('acknowledge', 'resend')),
  target TEXT NOT NULL, -- id of the alert or delivery
  actor TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_commands_account ON alert_commands (account_id);

CREATE TABLE webhooks (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('dingtalk', 'feishu', 'wechat', 'other')),
  url_sealed TEXT NOT NULL,
  url_masked TEXT NOT NULL,
  secret_sealed TEXT NOT NULL DEFAULT '', -- '' where there is none
  updated_at INTEGER NOT NULL
) STRICT;
