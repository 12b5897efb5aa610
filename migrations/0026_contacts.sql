-- People outside the account that alerts are mailed to, once their address is verified.
CREATE TABLE contacts (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  email TEXT NOT NULL, -- in lower case
  -- The authorization to write to the address: its beginning and its end; NULL while the address is not verified.
  verified_at INTEGER,
  expires_at INTEGER,
  warn_at INTEGER, -- when its end is warned of next
  -- The last verification mail.
  mail_state TEXT NOT NULL CHECK (mail_state IN ('pending', 'sent', 'failed')),
  mail_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK ((verified_at IS NULL) = (expires_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX contacts_email ON contacts (account_id, email);
CREATE INDEX contacts_account ON contacts (account_id, id DESC);
CREATE INDEX contacts_warn ON contacts (warn_at) WHERE warn_at IS NOT NULL;

-- Links of verification mails. An edit of the address and an unsubscription delete them.
CREATE TABLE contact_links (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX contact_links_contact ON contact_links (contact_id);
CREATE INDEX contact_links_expiry ON contact_links (expires_at);

-- Mails that warn of the end of an authorization: one for each number of days and authorization, which its end names.
CREATE TABLE contact_warnings (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  days INTEGER NOT NULL,
  mail_due_at INTEGER, -- NULL once it was sent
  mail_tries INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX contact_warnings_once ON contact_warnings (contact_id, expires_at, days);
CREATE INDEX contact_warnings_mail ON contact_warnings (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE INDEX contact_warnings_expiry ON contact_warnings (expires_at);
