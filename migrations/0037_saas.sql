-- SaaS acceleration: devices that the operator has sold as such, the pools whose bandwidth some of them share, and what their presences moved.

CREATE TABLE bandwidth_pools (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 32),
  max INTEGER NOT NULL CHECK (max > 0), -- Mbit/s; its devices share it, their sum may be more
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

CREATE TABLE saas_devices (
  router_id INTEGER PRIMARY KEY REFERENCES routers (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  group_name TEXT NOT NULL DEFAULT '' CHECK (length(group_name) <= 24),
  share INTEGER NOT NULL CHECK (share IN (0, 1)), -- 1: shared edition, whose bandwidth the customer sets
  bandwidth INTEGER NOT NULL CHECK (bandwidth >= 0), -- Mbit/s; 0: off
  max_bandwidth INTEGER NOT NULL CHECK (max_bandwidth > 0),
  expire_at INTEGER NOT NULL,
  pool_id INTEGER REFERENCES bandwidth_pools (id) ON DELETE SET NULL,
  country TEXT NOT NULL DEFAULT '', -- of its exit, ISO 3166-1 alpha-2
  temp_bandwidth INTEGER CHECK (temp_bandwidth >= 0), -- in force from temp_start_at until temp_expire_at
  temp_start_at INTEGER,
  temp_expire_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK (bandwidth <= max_bandwidth),
  CHECK ((temp_bandwidth IS NULL) = (temp_start_at IS NULL) AND (temp_bandwidth IS NULL) = (temp_expire_at IS NULL)),
  CHECK (temp_expire_at > temp_start_at)
) STRICT;
CREATE INDEX saas_devices_account ON saas_devices (account_id);
CREATE INDEX saas_devices_pool ON saas_devices (pool_id) WHERE pool_id IS NOT NULL;

-- Of a SaaS device: its own address, and in the line that ends a presence the bytes that it moved.
ALTER TABLE connection_logs ADD COLUMN local_ip TEXT NOT NULL DEFAULT '';
ALTER TABLE connection_logs ADD COLUMN upload INTEGER; -- null: not known
ALTER TABLE connection_logs ADD COLUMN download INTEGER;
