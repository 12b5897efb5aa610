CREATE TABLE announcements (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  tag TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL, -- Markdown
  release_at INTEGER NOT NULL
) STRICT;
CREATE INDEX announcements_release ON announcements (release_at DESC);

CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL UNIQUE, -- a repeated delivery adds nothing
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 0 CHECK (status IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_account ON messages (account_id, status, id DESC);
