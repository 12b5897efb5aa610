-- Certificate authorities of accounts, certificates of routers that carry tunnels, and revocation lists of networks.

CREATE TABLE authorities (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL UNIQUE CHECK (length(name) = 32), -- its id in documents
  certificate TEXT NOT NULL, -- PEM
  key_sealed TEXT NOT NULL, -- PKCS 8, under SEAL_KEYS
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX authorities_key ON authorities (key_sealed);

-- All certificates that were issued and have not expired. The newest of a router is in its document; an earlier one stays
-- valid until its tunnels have restarted. A row without a router is revoked.
CREATE TABLE certificates (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  authority_id INTEGER NOT NULL REFERENCES authorities (id) ON DELETE CASCADE,
  router_id INTEGER REFERENCES routers (id) ON DELETE SET NULL,
  router_name TEXT NOT NULL,
  serial TEXT NOT NULL, -- hex
  request_hash TEXT NOT NULL, -- SHA-256 of the request's text, hex
  is_server INTEGER NOT NULL CHECK (is_server IN (0, 1)), -- centres
  certificate TEXT NOT NULL, -- PEM
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  UNIQUE (authority_id, serial)
) STRICT;
CREATE INDEX certificates_router ON certificates (router_id);
CREATE INDEX certificates_expiry ON certificates (expires_at);
CREATE INDEX certificates_account ON certificates (account_id);

-- Certificates that the revocation list of a network names: of devices that were in it. One list for the whole account would
-- push to all of its devices. Ids never return, because a list is compared with the newest.
CREATE TABLE revocations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  network_id INTEGER NOT NULL REFERENCES networks (id) ON DELETE CASCADE,
  serial TEXT NOT NULL,
  revoked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, -- of the certificate
  UNIQUE (network_id, serial)
) STRICT;
CREATE INDEX revocations_network ON revocations (network_id);
CREATE INDEX revocations_account ON revocations (account_id);
CREATE INDEX revocations_expiry ON revocations (expires_at);

-- Signed list of a network. It is out of date while the network has a revocation above `newest`, or its account another
-- authority.
CREATE TABLE revocation_lists (
  network_id INTEGER PRIMARY KEY REFERENCES networks (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  authority_id INTEGER NOT NULL REFERENCES authorities (id) ON DELETE CASCADE,
  newest INTEGER NOT NULL, -- id of the newest revocation in it, and its number (RFC 5280 §5.2.3); 0: none
  list TEXT NOT NULL -- PEM
) STRICT;
CREATE INDEX revocation_lists_account ON revocation_lists (account_id);
CREATE INDEX revocation_lists_authority ON revocation_lists (authority_id);

-- Capability to run tunnels, the request for a certificate as it was last reported, and the reason why it is refused.
ALTER TABLE router_states ADD COLUMN vpn INTEGER CHECK (vpn IN (0, 1));
ALTER TABLE router_states ADD COLUMN certificate_request TEXT;
ALTER TABLE router_states ADD COLUMN certificate_refusal TEXT;
ALTER TABLE router_states ADD COLUMN certificate_refused_at INTEGER;
CREATE INDEX router_states_refused ON router_states (certificate_refused_at) WHERE certificate_refused_at IS NOT NULL;
