-- The host whose brand an account's mails, SMS and links carry (infra/hosts.json); '' for the main one.
ALTER TABLE accounts ADD COLUMN host TEXT NOT NULL DEFAULT '';

-- What is known of the provider of a channel: the cron asks it, deliveries record how they went.
CREATE TABLE provider_status (
  channel TEXT PRIMARY KEY CHECK (channel IN ('mail', 'sms')),
  succeeded_at INTEGER,
  failed_at INTEGER,
  failure TEXT NOT NULL DEFAULT '', -- the vendor's words, without secrets and addresses
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0), -- in a row, of recipients that were typed by whoever asked
  counted_at INTEGER NOT NULL DEFAULT 0, -- the last of these
  checked_at INTEGER NOT NULL DEFAULT 0,
  is_down INTEGER NOT NULL DEFAULT 0 CHECK (is_down IN (0, 1)) -- the last check failed
) STRICT;

-- SMS by dial code: the operator's allow-list, the day's ceiling, and what was sent on `day` (days of Asia/Shanghai since 1970).
CREATE TABLE sms_countries (
  dial_code TEXT PRIMARY KEY,
  is_allowed INTEGER NOT NULL CHECK (is_allowed IN (0, 1)),
  daily_max INTEGER NOT NULL CHECK (daily_max >= 0),
  day INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0
) STRICT;
