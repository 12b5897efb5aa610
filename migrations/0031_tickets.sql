-- Support tickets. Rules of their status: worker/domain/ticket/status.ts.
CREATE TABLE tickets (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  number TEXT NOT NULL UNIQUE, -- T, the day in Asia/Shanghai, six random digits
  person TEXT NOT NULL, -- who wrote it: 'main:1', 'ram:7'
  author TEXT NOT NULL, -- login name
  type INTEGER NOT NULL CHECK (type IN (1, 2, 3, 4, 6)),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  files TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files)), -- keys of files, in order
  snapshot TEXT CHECK (snapshot IS NULL OR json_valid(snapshot)), -- worker/contract/ticket-snapshot.ts
  status INTEGER NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 4),
  revision INTEGER NOT NULL DEFAULT 1, -- counts replies and steps
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, -- of the last reply or step
  answered_at INTEGER, -- of the operator's last reply
  warned_at INTEGER, -- that it closes by itself, since that reply
  closed_at INTEGER, -- while it is closed
  grade INTEGER CHECK (grade BETWEEN 1 AND 5), -- NULL until it is appraised
  appraisal TEXT NOT NULL DEFAULT '',
  deleted_at INTEGER, -- hidden since then, and purged later
  due_at INTEGER -- when the minute cron looks at it: warning, close, purge
) STRICT;
CREATE INDEX tickets_account ON tickets (account_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX tickets_updated ON tickets (account_id, updated_at);
CREATE INDEX tickets_waiting ON tickets (status, updated_at) WHERE deleted_at IS NULL;
CREATE INDEX tickets_due ON tickets (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE ticket_replies (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  side TEXT NOT NULL CHECK (side IN ('customer', 'adviser')),
  name TEXT NOT NULL, -- login name of the customer, what the adviser is called
  content TEXT NOT NULL,
  files TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files)),
  snapshot TEXT CHECK (snapshot IS NULL OR json_valid(snapshot)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ticket_replies_ticket ON ticket_replies (ticket_id, id);

-- Files of what holds them; those of a purged ticket go with it.
CREATE INDEX files_attached ON files (attached_to) WHERE attached_to IS NOT NULL;
-- Key of the person that uploaded a file, who alone may use it; '' where anybody of the account may.
ALTER TABLE files ADD COLUMN person TEXT NOT NULL DEFAULT '';
