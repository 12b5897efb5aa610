-- Time since which the hub of a device that its row calls present has not answered; null: it answers. The hub's own save clears it.
ALTER TABLE router_states ADD COLUMN unreadable_since INTEGER;
