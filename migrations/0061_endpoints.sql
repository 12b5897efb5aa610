-- Addresses at which other members dial a router, in their order: those that its account has set, and those of its device.
ALTER TABLE routers ADD COLUMN endpoints TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(endpoints)); -- string[]
ALTER TABLE routers ADD COLUMN endpoints_revision INTEGER NOT NULL DEFAULT 0;
-- worker/domain/router/endpoints.ts DeviceEndpoints; NULL until its hub has saved it: then remote_host is the only one.
ALTER TABLE router_states ADD COLUMN endpoints TEXT CHECK (json_valid(endpoints));
