-- A node carries networks of several accounts, whose subnet indexes may be equal: its ports are counted by a number of its own.
ALTER TABLE pop_members ADD COLUMN port_index INTEGER CHECK (port_index BETWEEN 0 AND 255);
UPDATE pop_members SET port_index = (
  SELECT count(*) FROM pop_members other WHERE other.router_id = pop_members.router_id AND other.id < pop_members.id);
CREATE UNIQUE INDEX pop_members_port ON pop_members (router_id, port_index);
