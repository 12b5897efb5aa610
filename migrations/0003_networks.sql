CREATE TABLE networks (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  number TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 32),
  network_type INTEGER NOT NULL DEFAULT 1 CHECK (network_type IN (1, 2, 3)),
  mode INTEGER NOT NULL DEFAULT 1 CHECK (mode IN (1, 2)), -- with a POP resource: 1 prefers centre, 2 prefers POP
  status INTEGER NOT NULL DEFAULT 1 CHECK (status IN (0, 1)), -- 0: the member quota dropped
  ciphers TEXT NOT NULL DEFAULT 'default' CHECK (ciphers IN ('default', 'sm')),
  secret TEXT NOT NULL, -- hex; probe keys derive from it
  revision INTEGER NOT NULL DEFAULT 1, -- grows with each edit of the members, so that a stale edit is refused
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX networks_account ON networks (account_id, id DESC);

CREATE TABLE network_members (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  network_id INTEGER NOT NULL REFERENCES networks (id) ON DELETE CASCADE,
  router_id INTEGER NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
  member_type TEXT NOT NULL CHECK (member_type IN ('center', 'point')),
  segment_index INTEGER CHECK (segment_index BETWEEN 0 AND 511), -- a centre's pair of default segments
  host INTEGER NOT NULL CHECK (host BETWEEN 2 AND 4094), -- host number in each centre's hardware segment
  joined_at INTEGER NOT NULL,
  UNIQUE (network_id, router_id),
  UNIQUE (network_id, host),
  UNIQUE (account_id, segment_index),
  CHECK ((member_type = 'center') = (segment_index IS NOT NULL))
) STRICT;
CREATE INDEX network_members_router ON network_members (router_id);
CREATE INDEX network_members_account ON network_members (account_id);
