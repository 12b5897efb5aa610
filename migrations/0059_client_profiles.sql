-- Profiles of software members: files with which applications of others dial one network until they expire. A row ends with
-- its membership; another password or login name ends the profile without a write.

CREATE TABLE client_profiles (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never comes again, because dial tokens name it
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  router_id INTEGER NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
  network_id INTEGER NOT NULL REFERENCES networks (id) ON DELETE CASCADE,
  router_name TEXT NOT NULL COLLATE NOCASE, -- login name in the file
  device_name TEXT NOT NULL CHECK (length(device_name) BETWEEN 1 AND 24),
  credential_version INTEGER NOT NULL,
  issued_at INTEGER NOT NULL,
  issued_ip TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  last_dial_at INTEGER,
  revoked_at INTEGER,
  warned_at INTEGER, -- of the message about its end
  link_hash TEXT UNIQUE, -- of the link that gives the file to a phone; NULL once used
  link_expires_at INTEGER,
  FOREIGN KEY (network_id, router_id) REFERENCES network_members (network_id, router_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX client_profiles_member ON client_profiles (network_id, router_id);
CREATE INDEX client_profiles_router ON client_profiles (router_id, id DESC);
CREATE INDEX client_profiles_account ON client_profiles (account_id);
CREATE INDEX client_profiles_expiry ON client_profiles (expires_at);
