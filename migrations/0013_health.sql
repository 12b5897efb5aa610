-- 抖动 with an open socket counts as online, without one it does not.

ALTER TABLE router_states ADD COLUMN live INTEGER NOT NULL DEFAULT 0 CHECK (live IN (0, 1));
