-- Refresh tokens: the successors of a token stay good until one of them is shown. `refresh_hash` is the token shown last, this its parent.
ALTER TABLE sessions ADD COLUMN refresh_parent TEXT NOT NULL DEFAULT '';

-- A session ends 30 days after sign-in at the latest.
UPDATE sessions SET expires_at = created_at + 2592000000 WHERE ended_at IS NULL AND expires_at > created_at + 2592000000;
