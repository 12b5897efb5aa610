-- Chapters and articles of the handbook: the operator's, the same for every account, replaced together by an import.
CREATE TABLE documents (
  id TEXT PRIMARY KEY, -- stands in addresses, so it is kept from import to import
  fid TEXT NOT NULL DEFAULT '', -- chapter of an article
  type INTEGER NOT NULL CHECK (type IN (1, 2)), -- 1 chapter, 2 article
  title TEXT NOT NULL,
  position INTEGER NOT NULL UNIQUE, -- reading order through all chapters
  text TEXT NOT NULL DEFAULT '', -- what a search looks through; in front of `html`, whose pages it then does not read
  toc TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(toc)),
  digest TEXT NOT NULL DEFAULT '', -- of the Markdown: an article that stayed the same keeps its date
  updated_at INTEGER NOT NULL,
  html TEXT NOT NULL DEFAULT '',
  CHECK ((type = 1) = (fid = ''))
) STRICT;

-- The import that is shown: one row, or none before the first.
CREATE TABLE handbook_imports (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  digest TEXT NOT NULL, -- of the folder: what has not changed is not imported again
  images TEXT NOT NULL CHECK (json_valid(images)), -- keys of the images that its articles show
  imported_at INTEGER NOT NULL
) STRICT;
