-- Devices as the operator ships them, and members (hardware routers and software clients) as an account holds them.

CREATE TABLE devices (
  id INTEGER PRIMARY KEY,
  serial TEXT NOT NULL COLLATE NOCASE UNIQUE,
  model TEXT NOT NULL,
  activation_hash TEXT NOT NULL, -- HMAC of the code printed on the box
  public_key TEXT, -- JWK (Ed25519), pinned at first registration
  key_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE routers (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE, -- router_name: serial of a device, or name@sign of a software member
  router_type INTEGER NOT NULL CHECK (router_type IN (1, 2)),
  device_id INTEGER UNIQUE REFERENCES devices (id),
  note TEXT NOT NULL DEFAULT '' CHECK (length(note) <= 24),
  status INTEGER NOT NULL DEFAULT 1 CHECK (status IN (0, 1)),
  password TEXT, -- scrypt, software members only
  area_code TEXT NOT NULL DEFAULT '86',
  phone TEXT,
  source TEXT NOT NULL DEFAULT 'manual' CHECK (source IN ('manual', 'batch', 'ldap')),
  created_at INTEGER NOT NULL,
  CHECK ((router_type = 1) = (device_id IS NOT NULL)),
  CHECK ((router_type = 2) = (password IS NOT NULL))
) STRICT;
CREATE INDEX routers_account ON routers (account_id, router_type, id DESC);
CREATE INDEX routers_phone ON routers (account_id, area_code, phone);

-- What the hubs know, written on transitions only. Kept apart so that a write of a member never moves its state.
CREATE TABLE router_states (
  router_id INTEGER PRIMARY KEY REFERENCES routers (id) ON DELETE CASCADE,
  presence TEXT NOT NULL DEFAULT 'never'
    CHECK (presence IN ('never', 'online', 'reconnecting', 'offline', 'flapping', 'disabled')),
  presence_since INTEGER,
  presence_reason TEXT NOT NULL DEFAULT '',
  last_seen_at INTEGER,
  remote_host TEXT,
  probe_port INTEGER,
  version TEXT NOT NULL DEFAULT '',
  mac TEXT NOT NULL DEFAULT '',
  os TEXT NOT NULL DEFAULT '',
  interfaces TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(interfaces)), -- worker/contract/protocol.ts InterfaceInfo[]
  config_state TEXT NOT NULL DEFAULT 'none'
    CHECK (config_state IN ('none', 'queued', 'pushing', 'applied', 'failed', 'reverted', 'unsynced')),
  config_version INTEGER NOT NULL DEFAULT 0,
  config_applied_version INTEGER,
  config_reason TEXT NOT NULL DEFAULT '',
  config_at INTEGER,
  config_stale INTEGER NOT NULL DEFAULT 0 CHECK (config_stale IN (0, 1)) -- rows moved, the hub has not compiled them yet
) STRICT;
CREATE INDEX router_states_stale ON router_states (config_stale) WHERE config_stale = 1;

CREATE TABLE connection_logs (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  router_name TEXT NOT NULL,
  epoch INTEGER NOT NULL, -- which socket of the device: makes a repeated write harmless
  online INTEGER NOT NULL CHECK (online IN (0, 1)),
  remote_ip TEXT NOT NULL,
  remote_port INTEGER NOT NULL,
  version TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL,
  UNIQUE (router_name, epoch, online, at)
) STRICT;
CREATE INDEX connection_logs_account ON connection_logs (account_id, at DESC);
