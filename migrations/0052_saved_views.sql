-- Views of lists that a person has saved; ram_id is null for the main account.
CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  ram_id INTEGER REFERENCES ram_accounts (id) ON DELETE CASCADE,
  person TEXT NOT NULL,
  list TEXT NOT NULL CHECK (list IN ('router', 'network')),
  name TEXT NOT NULL CHECK (length(name) <= 24),
  query TEXT NOT NULL CHECK (length(query) <= 1000),
  created_at INTEGER NOT NULL,
  UNIQUE (person, name)
) STRICT;
CREATE INDEX saved_views_account ON saved_views (account_id);
CREATE INDEX saved_views_ram ON saved_views (ram_id);
