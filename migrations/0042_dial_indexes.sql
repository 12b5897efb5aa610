-- Dials that overlap a range, by two partial indexes: an open dial has no entry by its end, so that an update of it moves none.

DROP INDEX dial_logs_until;
CREATE INDEX dial_logs_ended_within ON dial_logs (account_id, mode, end_at) WHERE end_at IS NOT NULL;
-- Open dials of a member, and of an account.
DROP INDEX dial_logs_router_open;
CREATE INDEX dial_logs_account_open ON dial_logs (account_id, router_id) WHERE end_at IS NULL;
