-- What a message concerns, '' where nothing: a role limited to networks sees only those of its networks.
ALTER TABLE messages ADD COLUMN network_number TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN router_name TEXT NOT NULL DEFAULT '';
-- Key of the only reader ('main:1', 'ram:7'), where it is meant for one person; '' for everybody of the account.
ALTER TABLE messages ADD COLUMN person TEXT NOT NULL DEFAULT '';
