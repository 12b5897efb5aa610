-- Sign-in of software members by WeCom, Feishu or DingTalk.

-- The account's auth source ID, made at first use; clients name it, so it never changes.
CREATE TABLE auth_source_codes (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  code TEXT NOT NULL UNIQUE CHECK (length(code) = 8), -- Crockford's alphabet
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE auth_sources (
  id INTEGER PRIMARY KEY, -- random, so that it does not come again: sessions and sealed texts name it
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('wechat', 'feishu', 'dingtalk')),
  name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 24),
  app_id TEXT NOT NULL,
  agent_id TEXT NOT NULL DEFAULT '',
  corp_id TEXT NOT NULL DEFAULT '',
  secret_sealed TEXT NOT NULL,
  tenant TEXT NOT NULL DEFAULT '', -- that people must belong to; '' until the first sign-in tells
  auth_domain TEXT NOT NULL DEFAULT '', -- wechat: the customer's own callback domain, IDN as punycode
  file_name TEXT NOT NULL DEFAULT '', -- WW_verify_….txt, served at its root
  file_content TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL DEFAULT 1 CHECK (status IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (account_id, name),
  CHECK ((auth_domain = '') = (file_name = '') AND (type = 'wechat' OR auth_domain = ''))
) STRICT;
CREATE UNIQUE INDEX auth_sources_domain ON auth_sources (auth_domain) WHERE auth_domain <> '';

-- Which member a person is whose number the vendor does not always tell; good while the member keeps the phone it was found by.
CREATE TABLE auth_bindings (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES auth_sources (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  router_id INTEGER NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
  area_code TEXT NOT NULL,
  phone TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (source_id, tenant, user_id),
  UNIQUE (source_id, router_id)
) STRICT;
CREATE INDEX auth_bindings_router ON auth_bindings (router_id);

-- A sign-in at the client application, from its start to the session or the reason against it.
CREATE TABLE auth_requests (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES auth_sources (id) ON DELETE CASCADE,
  state_hash TEXT NOT NULL UNIQUE, -- of the state or the confirmation that is waited for; each is good once
  challenge TEXT NOT NULL, -- base64url of SHA-256 of the client's verifier
  redirect_uri TEXT NOT NULL,
  step TEXT NOT NULL CHECK (step IN ('waiting', 'exchanging', 'confirming', 'matched', 'refused', 'done')),
  user_id TEXT NOT NULL DEFAULT '', -- who scanned, where a second authorization must be the same person's
  router_id INTEGER REFERENCES routers (id) ON DELETE CASCADE, -- the member that was found
  reason TEXT CHECK (json_valid(reason)), -- the refusal, as a key of the catalogue with parameters
  device TEXT NOT NULL CHECK (json_valid(device)), -- what the client says about itself
  ip TEXT NOT NULL, -- the client's, and its block
  ip_block TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX auth_requests_source ON auth_requests (source_id);
CREATE INDEX auth_requests_router ON auth_requests (router_id) WHERE router_id IS NOT NULL;
CREATE INDEX auth_requests_expiry ON auth_requests (expires_at);

-- The auth source that a session was opened through; null: by password or code.
ALTER TABLE client_sessions ADD COLUMN auth_source_id INTEGER;
CREATE INDEX client_sessions_source ON client_sessions (auth_source_id) WHERE auth_source_id IS NOT NULL AND ended_at IS NULL;
