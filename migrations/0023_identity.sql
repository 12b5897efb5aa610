-- Identity step: until when this session may change password, phone or e-mail of its account, once.
ALTER TABLE sessions ADD COLUMN proved_until INTEGER NOT NULL DEFAULT 0;
-- The host that was asked at sign-in, and the place of its address in words; '' where it is not known.
ALTER TABLE sessions ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN place TEXT NOT NULL DEFAULT '';

-- A changed password or contact voids the recoveries of its account.
CREATE INDEX recoveries_account ON recoveries (account_id);

-- Devices and places that a person has signed in from: another one is announced.
CREATE TABLE sign_in_origins (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  ram_id INTEGER REFERENCES ram_accounts (id) ON DELETE CASCADE,
  person TEXT NOT NULL, -- 'main:1' or 'ram:7'
  kind TEXT NOT NULL CHECK (kind IN ('device', 'place')),
  value TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  UNIQUE (person, kind, value)
) STRICT;
CREATE INDEX sign_in_origins_ram ON sign_in_origins (ram_id);
CREATE INDEX sign_in_origins_seen ON sign_in_origins (seen_at);
