-- Software members dial into the software segments of the centres: their host numbers leave those of the hardware segments,
-- from the last one down. A network has at most 2,000 members, so the two never meet.
UPDATE network_members SET host = 4095 - (
  SELECT count(*) FROM network_members other JOIN routers r ON r.id = other.router_id
  WHERE other.network_id = network_members.network_id AND r.router_type = 2 AND other.id <= network_members.id)
WHERE router_id IN (SELECT id FROM routers WHERE router_type = 2);

-- A network that a call with this key has made: the same call again, after a lost answer or by a double click, finds it.
ALTER TABLE networks ADD COLUMN create_key TEXT;
CREATE UNIQUE INDEX networks_create_key ON networks (account_id, create_key) WHERE create_key IS NOT NULL;

-- Number of the network that a role limited to networks has taken the router out of; null where somebody else did.
ALTER TABLE routers ADD COLUMN left_network TEXT;
