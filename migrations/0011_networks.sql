-- Software members dial into the software segments of the centres: their host numbers leave those of the hardware segments,
-- from the last one down. A network has at most 2,000 members, so the two never meet.
UPDATE network_members SET host = 4095 - (
  SELECT count(*) FROM network_members other JOIN routers r ON r.id = other.router_id
  WHERE other.network_id = network_members.network_id AND r.router_type = 2 AND other.id <= network_members.id)
WHERE router_id IN (SELECT id FROM routers WHERE router_type = 2);
