-- Direct links and nodes.

-- Mark of a gateway: centres and nodes, to which software members dial.
ALTER TABLE certificates ADD COLUMN is_gateway INTEGER NOT NULL DEFAULT 0 CHECK (is_gateway IN (0, 1));

-- Port of the client end of a point link, which both ends dial; NULL: a link of an earlier release, which its client dials.
ALTER TABLE point_links ADD COLUMN client_port INTEGER CHECK (client_port BETWEEN 1025 AND 65535);
CREATE UNIQUE INDEX point_links_client_port ON point_links (client_id, client_port) WHERE client_port IS NOT NULL;

-- Networks that a node refused of the document that it runs: [{"number", "reason"}].
ALTER TABLE router_states ADD COLUMN config_refused TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(config_refused));
