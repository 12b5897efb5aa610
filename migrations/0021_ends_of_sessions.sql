-- Counts changes of a software member's password: documents carry it, and a device ends the sessions of an earlier one.
ALTER TABLE routers ADD COLUMN credential_version INTEGER NOT NULL DEFAULT 0;
-- Counts edits of the note.
ALTER TABLE routers ADD COLUMN note_revision INTEGER NOT NULL DEFAULT 0;

-- The member of a record, whatever its name was then. Not a reference: records outlive members, whose ids come again, so
-- that a record is a member's only since that one was created.
ALTER TABLE software_login_logs ADD COLUMN router_id INTEGER;
UPDATE software_login_logs SET router_id = (SELECT r.id FROM routers r
  WHERE r.account_id = software_login_logs.account_id AND r.name = software_login_logs.router_name);
UPDATE dial_logs SET router_id = (SELECT r.id FROM routers r
  WHERE r.account_id = dial_logs.account_id AND r.name = dial_logs.router_name)
WHERE router_id IS NULL;
CREATE INDEX software_login_logs_member ON software_login_logs (router_id, at DESC);
CREATE INDEX dial_logs_member ON dial_logs (router_id, mode, start_at DESC);
