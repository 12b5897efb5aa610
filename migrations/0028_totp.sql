-- Second factor (RFC 6238) of a person: the main account, or one of its sub-accounts.
CREATE TABLE totp_factors (
  person TEXT PRIMARY KEY, -- 'main:1' or 'ram:7'
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  ram_id INTEGER REFERENCES ram_accounts (id) ON DELETE CASCADE,
  secret_sealed TEXT NOT NULL,
  last_step INTEGER NOT NULL, -- time step of the newest code that was used: no code is good twice
  enrolled_at INTEGER NOT NULL
) STRICT;
CREATE INDEX totp_factors_account ON totp_factors (account_id);
CREATE INDEX totp_factors_ram ON totp_factors (ram_id);

CREATE TABLE totp_recovery_codes (
  id INTEGER PRIMARY KEY,
  person TEXT NOT NULL REFERENCES totp_factors (person) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL, -- HMAC
  used_at INTEGER,
  UNIQUE (person, code_hash)
) STRICT;
CREATE INDEX totp_recovery_codes_account ON totp_recovery_codes (account_id);

-- The password was right, or the link good: what is left of a sign-in is the second factor, or its set-up. No session yet.
CREATE TABLE login_tickets (
  ticket_hash TEXT PRIMARY KEY, -- HMAC
  purpose TEXT NOT NULL CHECK (purpose IN ('verify', 'enrol')),
  way TEXT NOT NULL CHECK (way IN ('password', 'link')),
  person TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  ram_id INTEGER REFERENCES ram_accounts (id) ON DELETE CASCADE,
  credential TEXT NOT NULL, -- HMAC of the stored password: a ticket ends with the password that it was issued for
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX login_tickets_expiry ON login_tickets (expires_at);
CREATE INDEX login_tickets_account ON login_tickets (account_id);
CREATE INDEX login_tickets_ram ON login_tickets (ram_id);

-- 1: sub-accounts sign in with a second factor only.
ALTER TABLE accounts ADD COLUMN ram_totp_required INTEGER NOT NULL DEFAULT 0 CHECK (ram_totp_required IN (0, 1));
