-- POP areas and nodes of the operator, the resources that accounts bought of them, and the tickets that order them.

CREATE TABLE pops (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(name) BETWEEN 1 AND 32),
  status INTEGER NOT NULL DEFAULT 1 CHECK (status IN (0, 1)), -- 0: not offered any more
  created_at INTEGER NOT NULL
) STRICT;

-- A node is a router of the operator's own account.
CREATE TABLE pop_nodes (
  id INTEGER PRIMARY KEY,
  pop_id INTEGER NOT NULL REFERENCES pops (id),
  router_id INTEGER NOT NULL UNIQUE REFERENCES routers (id) ON DELETE CASCADE,
  status INTEGER NOT NULL DEFAULT 1 CHECK (status IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pop_nodes_pop ON pop_nodes (pop_id);

-- network_fr of the calls: a POP resource of an account.
CREATE TABLE network_frs (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 32),
  shortname TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL DEFAULT 1 CHECK (status IN (0, 1)), -- 0: withdrawn by the operator
  created_at INTEGER NOT NULL,
  expire_at INTEGER NOT NULL,
  lapsed INTEGER NOT NULL DEFAULT 0 CHECK (lapsed IN (0, 1)), -- 1: no document names it any more; set by the minute cron
  CHECK (expire_at > created_at)
) STRICT;
CREATE INDEX network_frs_account ON network_frs (account_id, id DESC);
CREATE INDEX network_frs_expiry ON network_frs (expire_at) WHERE lapsed = 0;

CREATE TABLE network_fr_areas (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  fr_id INTEGER NOT NULL REFERENCES network_frs (id) ON DELETE CASCADE,
  pop_id INTEGER NOT NULL REFERENCES pops (id),
  bandwidth INTEGER NOT NULL CHECK (bandwidth > 0), -- Mbit/s
  UNIQUE (fr_id, pop_id)
) STRICT;
CREATE INDEX network_fr_areas_pop ON network_fr_areas (pop_id);

-- The POP resource of a network; with one it is of type 3. `mode` says which it prefers.
ALTER TABLE networks ADD COLUMN fr_id INTEGER REFERENCES network_frs (id) ON DELETE SET NULL;
CREATE INDEX networks_fr ON networks (fr_id) WHERE fr_id IS NOT NULL;

-- Nodes that carry a network. Their segment indexes are drawn from the same numbers as those of centres.
CREATE TABLE pop_members (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  network_id INTEGER NOT NULL REFERENCES networks (id) ON DELETE CASCADE,
  area_id INTEGER NOT NULL REFERENCES network_fr_areas (id) ON DELETE CASCADE,
  router_id INTEGER NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
  segment_index INTEGER NOT NULL CHECK (segment_index BETWEEN 0 AND 511),
  UNIQUE (network_id, router_id),
  UNIQUE (account_id, segment_index)
) STRICT;
CREATE INDEX pop_members_router ON pop_members (router_id);

CREATE TABLE network_tickets (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  number TEXT NOT NULL UNIQUE,
  network_number TEXT NOT NULL, -- stays when the network goes
  type INTEGER NOT NULL DEFAULT 1001 CHECK (type = 1001),
  status INTEGER NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 4), -- 1→2→3, 1→4, 2→4, 3→4
  attributes TEXT NOT NULL CHECK (json_valid(attributes)), -- {bandwidth, pop, expired_time, pop_conf}
  note TEXT NOT NULL DEFAULT '', -- of the operator
  fr_id INTEGER REFERENCES network_frs (id) ON DELETE SET NULL, -- what its completion has made
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  completed_at INTEGER
) STRICT;
CREATE INDEX network_tickets_account ON network_tickets (account_id, id DESC);
-- A network has one open ticket of a type: a repeated submit is refused.
CREATE UNIQUE INDEX network_tickets_open ON network_tickets (account_id, network_number, type) WHERE status IN (1, 2);
