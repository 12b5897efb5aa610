-- Persons who handle rows that need attention (我来处理). A row of this table is over with the trouble, or after a day.
CREATE TABLE attention_handlers (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  trouble TEXT NOT NULL CHECK (length(trouble) <= 400), -- id of the row: kind and object
  name TEXT NOT NULL, -- login name of the person
  at INTEGER NOT NULL,
  UNIQUE (account_id, trouble)
) STRICT;
CREATE INDEX attention_handlers_at ON attention_handlers (at);
