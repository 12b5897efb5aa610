-- Settings of networks and of their members. One row a setting; where there is none, the default holds with revision 0.
-- Kinds, values and defaults: worker/contract/network-settings.ts. Routers are named by id: a software member's name changes.

CREATE TABLE network_settings (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  network_id INTEGER NOT NULL REFERENCES networks (id) ON DELETE CASCADE,
  setting TEXT NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value)),
  revision INTEGER NOT NULL CHECK (revision > 0), -- grows with each edit of this setting, so that a stale edit is refused
  updated_at INTEGER NOT NULL,
  UNIQUE (network_id, setting)
) STRICT;

CREATE TABLE member_settings (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  network_id INTEGER NOT NULL,
  router_id INTEGER NOT NULL,
  setting TEXT NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value)),
  revision INTEGER NOT NULL CHECK (revision > 0),
  updated_at INTEGER NOT NULL,
  UNIQUE (network_id, router_id, setting),
  FOREIGN KEY (network_id, router_id) REFERENCES network_members (network_id, router_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX member_settings_router ON member_settings (router_id);

-- Links between two members without a centre. The server answers on `port`: the one that was chosen, or a free one.
CREATE TABLE point_links (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  network_id INTEGER NOT NULL,
  server_id INTEGER NOT NULL,
  client_id INTEGER NOT NULL,
  gateway TEXT NOT NULL, -- network number of the segment that both ends share
  mask INTEGER NOT NULL CHECK (mask BETWEEN 16 AND 30),
  static_port INTEGER CHECK (static_port BETWEEN 1025 AND 65535),
  port INTEGER NOT NULL CHECK (port BETWEEN 1025 AND 65535),
  UNIQUE (network_id, server_id, client_id),
  UNIQUE (server_id, port),
  CHECK (server_id <> client_id),
  FOREIGN KEY (network_id, server_id) REFERENCES network_members (network_id, router_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX point_links_client ON point_links (client_id);

-- Ports that settings have chosen, so that two writes at once cannot choose the same. The settings are the truth.
CREATE TABLE port_claims (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  network_id INTEGER NOT NULL REFERENCES networks (id) ON DELETE CASCADE,
  router_id INTEGER NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
  service TEXT NOT NULL CHECK (service IN ('router', 'software', 'center_link')),
  static_port INTEGER CHECK (static_port BETWEEN 1025 AND 65535),
  public_ip TEXT,
  public_port INTEGER CHECK (public_port BETWEEN 1025 AND 65535),
  UNIQUE (network_id, router_id, service),
  UNIQUE (router_id, static_port),
  UNIQUE (account_id, public_ip, public_port)
) STRICT;

-- The newest versions of a network's settings, as differences: a version is found by undoing the later ones.
CREATE TABLE network_versions (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  network_id INTEGER NOT NULL REFERENCES networks (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  changes TEXT NOT NULL CHECK (json_valid(changes)), -- [{setting, router_id, before, after}]
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('main', 'ram', 'operator', 'system')),
  actor_name TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (network_id, version)
) STRICT;

ALTER TABLE accounts ADD COLUMN dns_quantity INTEGER NOT NULL DEFAULT 2 CHECK (dns_quantity BETWEEN 0 AND 16);

-- Segments behind a next hop on the device's LAN: [{prefix, via}].
ALTER TABLE routers ADD COLUMN static_routes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(static_routes));
ALTER TABLE routers ADD COLUMN static_routes_revision INTEGER NOT NULL DEFAULT 0;
