-- Builds of the client application that the operator published. The bytes are an object in R2, named by `key`.
CREATE TABLE releases (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE, -- 128 random bits as hex
  platform TEXT NOT NULL, -- worker/contract/download.ts PLATFORMS
  panel TEXT NOT NULL DEFAULT '', -- of linux: LINUX_PANELS
  distribution TEXT NOT NULL DEFAULT '', -- of linux: LINUX_DISTRIBUTIONS, '' for all of them
  version TEXT NOT NULL,
  name TEXT NOT NULL, -- of the file
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64), -- hex
  notes TEXT NOT NULL DEFAULT '',
  released_at INTEGER NOT NULL,
  UNIQUE (platform, panel, distribution, version)
) STRICT;

-- First steps of the overview that an account wants to see no more.
CREATE TABLE dismissed_steps (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  step TEXT NOT NULL, -- worker/contract/overview.ts FIRST_STEPS
  dismissed_at INTEGER NOT NULL,
  UNIQUE (account_id, step)
) STRICT;
