-- Codes belong to what they were asked for, and are counted by who asked.

-- The recovery, the captcha of the registration, or the signed-in person ('main:1', 'ram:1') that the code is for.
ALTER TABLE codes ADD COLUMN owner TEXT NOT NULL DEFAULT '';
-- Who asked: the signed-in person, else the address, of IPv6 its /48.
ALTER TABLE codes ADD COLUMN sender TEXT NOT NULL DEFAULT '';
CREATE INDEX codes_owner ON codes (owner, purpose, target);
CREATE INDEX codes_sender ON codes (sender, purpose, sent_at);
DROP INDEX codes_account;

-- Keyed digest of the name that was typed, whatever its spelling: codes of a recovery are counted by it.
ALTER TABLE recoveries ADD COLUMN name TEXT NOT NULL DEFAULT '';
