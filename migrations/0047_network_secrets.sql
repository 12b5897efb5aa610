-- The secret of a network, sealed under SEAL_KEYS; '' until the cron has sealed that of an earlier release. From then on
-- `secret` holds a random value, which only an earlier release would read after a rollback.
ALTER TABLE networks ADD COLUMN secret_sealed TEXT NOT NULL DEFAULT '';
CREATE INDEX networks_secret_sealed ON networks (secret_sealed);
