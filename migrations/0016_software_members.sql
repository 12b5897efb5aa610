-- Software members: passwords that wait for their hash, sessions of the client application, records of sign-ins and dials.

-- A password that is not hashed yet, sealed; until then sign-in compares with it, and `password` is empty.
ALTER TABLE routers ADD COLUMN password_sealed TEXT;
CREATE INDEX routers_unhashed ON routers (id) WHERE password_sealed IS NOT NULL;

CREATE TABLE client_sessions (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  router_id INTEGER NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
  refresh_hash TEXT NOT NULL,
  refresh_parent TEXT NOT NULL DEFAULT '',
  os TEXT NOT NULL DEFAULT '',
  client_version TEXT NOT NULL DEFAULT '',
  ip TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  rotated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX client_sessions_router ON client_sessions (router_id) WHERE ended_at IS NULL;
CREATE INDEX client_sessions_open ON client_sessions (expires_at) WHERE ended_at IS NULL;
CREATE INDEX client_sessions_ended ON client_sessions (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE software_login_logs (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  router_name TEXT NOT NULL COLLATE NOCASE,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  reason TEXT NOT NULL DEFAULT '',
  ip TEXT NOT NULL,
  os TEXT NOT NULL DEFAULT '',
  version TEXT NOT NULL DEFAULT '',
  sys_brand TEXT NOT NULL DEFAULT '',
  sys_model TEXT NOT NULL DEFAULT '',
  sys_version TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX software_login_logs_account ON software_login_logs (account_id, at DESC);
CREATE INDEX software_login_logs_router ON software_login_logs (account_id, router_name, at DESC);

-- A dial of a software member, as the centre or the POP node reports it; the key makes a repeated report harmless.
CREATE TABLE dial_logs (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('p2p', 'pop')),
  network_number TEXT NOT NULL,
  router_name TEXT NOT NULL COLLATE NOCASE,
  link_router_name TEXT NOT NULL, -- the centre or the node
  pop_name TEXT NOT NULL DEFAULT '',
  area TEXT NOT NULL DEFAULT '',
  orig TEXT NOT NULL DEFAULT '', -- the address that it came from
  vpn_ip TEXT NOT NULL DEFAULT '',
  rx INTEGER NOT NULL DEFAULT 0,
  tx INTEGER NOT NULL DEFAULT 0,
  reason TEXT NOT NULL DEFAULT '',
  start_at INTEGER NOT NULL,
  end_at INTEGER,
  UNIQUE (account_id, key)
) STRICT;
CREATE INDEX dial_logs_account ON dial_logs (account_id, mode, start_at DESC);
CREATE INDEX dial_logs_router ON dial_logs (account_id, router_name, mode, start_at DESC);

-- Earlier suffixes of an account: for 30 days members still sign in by them, and no other account may take them.
CREATE TABLE old_signs (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  sign TEXT NOT NULL COLLATE NOCASE UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX old_signs_expiry ON old_signs (expires_at);
