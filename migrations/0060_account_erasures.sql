-- Erasures of accounts.

-- Proof that an account was erased, and the work that is left of it. It holds nothing of the customer but its number, which
-- no other account gets.
CREATE TABLE account_erasures (
  account_id INTEGER PRIMARY KEY,
  started_at INTEGER NOT NULL,
  started_by TEXT NOT NULL, -- name of the operator
  directory_hub TEXT, -- name of the directory's hub until that is deleted
  rows_at INTEGER, -- from then on no row is left; hubs may be
  finished_at INTEGER
) STRICT;
CREATE INDEX account_erasures_open ON account_erasures (account_id) WHERE finished_at IS NULL;

-- Number of the account whose erasure waits for this delivery; NULL for all other entries.
ALTER TABLE hub_outbox ADD COLUMN erasure INTEGER;
CREATE INDEX hub_outbox_erasures ON hub_outbox (erasure) WHERE erasure IS NOT NULL;

-- Rows of an account, and rows that its deletion, or that of a POP resource, looks for by a foreign key.
CREATE INDEX token_links_account ON token_links (account_id);
CREATE INDEX sign_in_origins_account ON sign_in_origins (account_id);
CREATE INDEX contact_links_account ON contact_links (account_id);
CREATE INDEX contact_warnings_account ON contact_warnings (account_id);
CREATE INDEX ticket_replies_account ON ticket_replies (account_id);
CREATE INDEX network_tickets_fr ON network_tickets (fr_id);
CREATE INDEX pop_members_area ON pop_members (area_id);

-- Rows of tables without a key to accounts. A call, hub or job that was under way writes none for an account that is erased.
CREATE TRIGGER audit_logs_erased BEFORE INSERT ON audit_logs
WHEN new.account_id IN (SELECT account_id FROM account_erasures)
BEGIN
  SELECT RAISE(IGNORE);
END;
CREATE TRIGGER connection_logs_erased BEFORE INSERT ON connection_logs
WHEN new.account_id IN (SELECT account_id FROM account_erasures)
BEGIN
  SELECT RAISE(IGNORE);
END;
CREATE TRIGGER dial_logs_erased BEFORE INSERT ON dial_logs
WHEN new.account_id IN (SELECT account_id FROM account_erasures)
BEGIN
  SELECT RAISE(IGNORE);
END;
CREATE TRIGGER software_login_logs_erased BEFORE INSERT ON software_login_logs
WHEN new.account_id IN (SELECT account_id FROM account_erasures)
BEGIN
  SELECT RAISE(IGNORE);
END;
CREATE TRIGGER codes_erased BEFORE INSERT ON codes
WHEN new.account_id IN (SELECT account_id FROM account_erasures)
BEGIN
  SELECT RAISE(IGNORE);
END;
CREATE TRIGGER ldap_runs_erased BEFORE INSERT ON ldap_runs
WHEN new.account_id IN (SELECT account_id FROM account_erasures)
BEGIN
  SELECT RAISE(IGNORE);
END;
