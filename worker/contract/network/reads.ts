/** Reads that are stale after the members of a network changed (`refreshes` of an endpoint). */
export const NETWORK_READS = [
  'network/lists',
  'network/config',
  'network/info',
  'network/member',
  'network/status',
] as const

/** Reads of members that contain their networks. */
export const MEMBER_READS = ['router/lists', 'router/info', 'router/member'] as const
