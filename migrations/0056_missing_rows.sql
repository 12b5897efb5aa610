-- A missing row proves no deletion: a restored or wrongly bound database lacks rows, too.

-- Devices whose router was deleted or replaced. One that was away is closed with 4002 by this row when it connects.
CREATE TABLE removed_devices (
  serial TEXT PRIMARY KEY COLLATE NOCASE,
  public_key TEXT, -- its key then; NULL if the database knew none
  removed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_devices_at ON removed_devices (removed_at);

-- Hubs that hold a state and have found no row, and devices that run a configuration and have none.
CREATE TABLE missing_rows (
  name TEXT PRIMARY KEY, -- of the hub, or serial of the device
  kind TEXT NOT NULL CHECK (kind IN ('router', 'network', 'account', 'directory', 'device')),
  serial TEXT, -- of the device, also of a router's hub
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;
CREATE INDEX missing_rows_first ON missing_rows (first_at);
CREATE INDEX missing_rows_last ON missing_rows (last_at);

-- The operator's hold: while it is on, devices without a row wait, and no read empties a device.
CREATE TABLE hub_holds (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER, -- NULL: off
  changed_at INTEGER NOT NULL,
  changed_by TEXT NOT NULL -- name of the operator; '' for the service itself
) STRICT;

-- A hub that finds no row looks for its removal, which may be under way.
CREATE INDEX hub_outbox_removals ON hub_outbox (hub) WHERE op = 'remove';

-- Time of the operator's reset; NULL once a key is pinned. A key that is missing without it proves no reset.
ALTER TABLE devices ADD COLUMN reset_at INTEGER;
