-- What the application of a software member can do, as its last sign-in said: a JSON array; null where it said nothing.
ALTER TABLE router_states ADD COLUMN client_capabilities TEXT;
