-- Reads and cascades that went through the rows of all accounts (tests/support/query-plan.ts).

CREATE INDEX member_settings_account ON member_settings (account_id, setting);
CREATE INDEX network_settings_account ON network_settings (account_id, setting);
CREATE INDEX point_links_account ON point_links (account_id);
CREATE INDEX old_signs_account ON old_signs (account_id, expires_at);

-- Ended sessions too go with their member; they are kept for a day.
DROP INDEX client_sessions_router;
CREATE INDEX client_sessions_router ON client_sessions (router_id);
CREATE INDEX client_sessions_account ON client_sessions (account_id) WHERE ended_at IS NULL;

-- The operator lists tickets by status.
CREATE INDEX network_tickets_status ON network_tickets (status, id);
