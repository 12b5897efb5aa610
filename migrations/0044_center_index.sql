-- Each point's document names its centres: they are found without the other members of the network.
CREATE INDEX network_members_centers ON network_members (network_id) WHERE member_type = 'center';
