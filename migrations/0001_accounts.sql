-- Accounts, sub-accounts, services, sessions and everything a sign-in needs.
-- Times are UTC epoch milliseconds. Secrets are stored as hashes or HMACs.

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL COLLATE NOCASE UNIQUE,
  nickname TEXT NOT NULL,
  password TEXT NOT NULL, -- scrypt, see worker/security/password.ts
  area_code TEXT NOT NULL DEFAULT '86',
  phone TEXT,
  email TEXT COLLATE NOCASE UNIQUE,
  sign TEXT COLLATE NOCASE UNIQUE, -- suffix of software members
  ram_domain TEXT NOT NULL COLLATE NOCASE UNIQUE, -- suffix of sub-accounts
  birthday TEXT,
  industry TEXT,
  occupation TEXT,
  status INTEGER NOT NULL DEFAULT 1 CHECK (status IN (0, 1)),
  quagga INTEGER NOT NULL DEFAULT 0 CHECK (quagga IN (0, 1)),
  quagga_advanced INTEGER NOT NULL DEFAULT 0 CHECK (quagga_advanced IN (0, 1)),
  default_route INTEGER NOT NULL DEFAULT 0 CHECK (default_route IN (0, 1)),
  software_auth_source INTEGER NOT NULL DEFAULT 0 CHECK (software_auth_source IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (area_code, phone)
) STRICT;

CREATE TABLE services (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('network_member', 'center', 'software_member', 'sub_account', 'bandwidth')),
  name TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity >= 0),
  start_at INTEGER NOT NULL,
  expire_at INTEGER NOT NULL,
  CHECK (expire_at > start_at)
) STRICT;
CREATE INDEX services_account ON services (account_id, kind, expire_at);

CREATE TABLE ram_roles (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  flags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(flags)), -- contract/permissions.ts PERMISSIONS
  networks TEXT CHECK (networks IS NULL OR json_valid(networks)), -- network numbers, NULL for all
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

CREATE TABLE ram_accounts (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  role_id INTEGER NOT NULL REFERENCES ram_roles (id),
  username TEXT NOT NULL COLLATE NOCASE,
  nickname TEXT NOT NULL,
  password TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 1 CHECK (status IN (0, 1)),
  created_at INTEGER NOT NULL,
  login_at INTEGER,
  UNIQUE (account_id, username)
) STRICT;
CREATE INDEX ram_accounts_role ON ram_accounts (role_id);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  ram_id INTEGER REFERENCES ram_accounts (id) ON DELETE CASCADE,
  version INTEGER NOT NULL DEFAULT 1, -- grows when grants change; an older access token is refused
  refresh_hash TEXT NOT NULL,
  rotated_at INTEGER NOT NULL,
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX sessions_account ON sessions (account_id, ram_id, ended_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE token_links (
  token_hash TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE TABLE captchas (
  uniqid TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  answer TEXT NOT NULL, -- HMAC
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX captchas_expiry ON captchas (expires_at);

CREATE TABLE codes (
  id INTEGER PRIMARY KEY,
  purpose TEXT NOT NULL,
  target TEXT NOT NULL, -- '+86 13800000000' or an e-mail address
  account_id INTEGER, -- NULL for a visitor
  answer TEXT NOT NULL, -- HMAC
  tries INTEGER NOT NULL DEFAULT 0,
  ip TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX codes_target ON codes (target, purpose, sent_at);
CREATE INDEX codes_account ON codes (account_id, sent_at);
CREATE INDEX codes_ip ON codes (ip, sent_at);

-- Password recovery: one row per attempt at its three steps; account_id is NULL for a name nobody has.
CREATE TABLE recoveries (
  uniqid TEXT PRIMARY KEY,
  account_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
  step TEXT NOT NULL CHECK (step IN ('found', 'verified', 'done')),
  expires_at INTEGER NOT NULL
) STRICT;

-- Counters of sensitive attempts: sign-ins by account and address, captchas by address, activation codes by account.
CREATE TABLE attempts (
  key TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  window_end INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_window ON attempts (window_end);

CREATE TABLE audit_logs (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('main', 'ram', 'operator', 'system')),
  actor_id INTEGER,
  actor_name TEXT NOT NULL,
  module TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  message TEXT NOT NULL,
  before TEXT CHECK (before IS NULL OR json_valid(before)),
  after TEXT CHECK (after IS NULL OR json_valid(after)),
  ip TEXT NOT NULL,
  request_id TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_logs_account ON audit_logs (account_id, at DESC);
CREATE INDEX audit_logs_actor ON audit_logs (account_id, actor_kind, actor_id, at DESC);

-- Local outbox: mails, SMS and captcha texts, where no provider is set (ENVIRONMENT=local only).
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('mail', 'sms', 'captcha')),
  recipient TEXT NOT NULL,
  uniqid TEXT NOT NULL DEFAULT '',
  code TEXT NOT NULL DEFAULT '',
  subject TEXT NOT NULL DEFAULT '',
  body TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_at ON outbox (at DESC);
