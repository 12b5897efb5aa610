-- Files that people upload. The bytes are an object in R2, named by `key`; a row without one is possible only for the moment
-- between the two deletions of a sweep, an object without a row until the sweep (worker/features/file/orphans.ts).
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key TEXT NOT NULL UNIQUE, -- 128 random bits as hex
  purpose TEXT NOT NULL, -- worker/contract/file.ts FILE_PURPOSES
  name TEXT NOT NULL, -- as the uploader called it, cleaned
  type TEXT NOT NULL, -- worker/contract/file.ts FILE_TYPES, decided by the bytes
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  sha256 TEXT NOT NULL, -- hex
  created_by TEXT NOT NULL, -- login name
  created_at INTEGER NOT NULL,
  attached_to TEXT -- what holds the file, 'ticket:T20260001'; one that nothing holds goes after a day
) STRICT;
CREATE INDEX files_account ON files (account_id, id DESC);
CREATE INDEX files_unattached ON files (created_at) WHERE attached_to IS NULL;
