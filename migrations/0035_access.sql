-- Sessions go with their sub-account: without it the cascade reads those of all accounts (tests/support/query-plan.ts).
CREATE INDEX sessions_ram ON sessions (ram_id);
