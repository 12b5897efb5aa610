-- A company's directory: how it is reached, which members came out of it, what its runs did.

-- The account's DirectoryHub, made by the first check; it outlives the configuration, whose closing can be undone.
CREATE TABLE ldap_hubs (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  hub TEXT NOT NULL UNIQUE,
  due_at INTEGER -- of the next run, which the hub's own alarm starts; the cron wakes a hub that is overdue
) STRICT;
CREATE INDEX ldap_hubs_due ON ldap_hubs (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE ldap_configs (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  revision INTEGER NOT NULL, -- counts saves; starts from the clock, so that a new configuration is never taken for a closed one
  mode TEXT NOT NULL CHECK (mode IN ('public', 'private')),
  router_id INTEGER REFERENCES routers (id), -- private mode: whose tunnel leads to the directory
  domain TEXT NOT NULL,
  host TEXT NOT NULL,
  port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
  base_dn TEXT NOT NULL,
  security TEXT NOT NULL CHECK (security IN ('none', 'starttls', 'ldaps')),
  ca_key TEXT, -- files.key; null with `security` other than none: public authorities
  certificate_name TEXT NOT NULL DEFAULT '',
  username TEXT NOT NULL,
  password_sealed TEXT NOT NULL,
  user_filter TEXT NOT NULL DEFAULT '',
  username_attribute TEXT NOT NULL DEFAULT '',
  phone_attribute TEXT NOT NULL DEFAULT '',
  network_id INTEGER REFERENCES networks (id), -- which new members join
  sync_mode INTEGER NOT NULL CHECK (sync_mode IN (1, 2)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((mode = 'private') = (router_id IS NOT NULL)),
  CHECK (security <> 'none' OR ca_key IS NULL)
) STRICT;
CREATE INDEX ldap_configs_router ON ldap_configs (router_id) WHERE router_id IS NOT NULL;
CREATE INDEX ldap_configs_network ON ldap_configs (network_id) WHERE network_id IS NOT NULL;

-- Imported members (routers.source 'ldap', password '!'): which user of the directory each is.
CREATE TABLE ldap_members (
  router_id INTEGER PRIMARY KEY REFERENCES routers (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  directory_id TEXT NOT NULL, -- objectGUID, entryUUID, ipaUniqueID or nsUniqueId
  note TEXT NOT NULL, -- as the directory gave it last; a person may write another
  disabled_by_run INTEGER NOT NULL DEFAULT 0 CHECK (disabled_by_run IN (0, 1)),
  UNIQUE (account_id, directory_id)
) STRICT;

-- Runs, and what people did to the members of a directory, newest kept LOG_DAYS.
CREATE TABLE ldap_runs (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('list', 'sync', 'import', 'remove', 'undo', 'close')),
  state TEXT NOT NULL CHECK (state IN ('done', 'failed', 'asking')),
  actor_name TEXT NOT NULL,
  counts TEXT NOT NULL CHECK (json_valid(counts)),
  failure TEXT NOT NULL DEFAULT '',
  can_undo INTEGER NOT NULL DEFAULT 0 CHECK (can_undo IN (0, 1)),
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ldap_runs_account ON ldap_runs (account_id, started_at DESC);
CREATE INDEX ldap_runs_start ON ldap_runs (started_at);

-- Proofs that a domain is the account's, asked for in public mode.
CREATE TABLE ldap_domains (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  domain TEXT NOT NULL, -- lower case, IDN as punycode
  proved_at INTEGER NOT NULL,
  UNIQUE (account_id, domain)
) STRICT;
