-- The support ticket that a message is about, '' where it is about none.
ALTER TABLE messages ADD COLUMN ticket_number TEXT NOT NULL DEFAULT '';

-- Mail of an adviser's reply to the account: when it is tried next, NULL once it was sent or given up.
ALTER TABLE ticket_replies ADD COLUMN mail_due_at INTEGER;
ALTER TABLE ticket_replies ADD COLUMN mail_tries INTEGER NOT NULL DEFAULT 0;
CREATE INDEX ticket_replies_mail ON ticket_replies (mail_due_at) WHERE mail_due_at IS NOT NULL;
