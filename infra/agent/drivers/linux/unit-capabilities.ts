/**
 * Capabilities of the agent's unit with their reasons. Each was found by running: with exactly these every tool starts, and
 * without one of them something does not. Besides them, the agent needs the group `frrvty`.
 */
export const UNIT_CAPABILITIES = {
  CAP_NET_ADMIN: 'interfaces, routes, policy rules, packet filter, rates, kernel settings of the network',
  CAP_NET_RAW: 'zebra, bgpd and bfdd do not start without it',
  CAP_NET_BIND_SERVICE: 'bgpd listens on port 179',
  CAP_SYS_ADMIN: 'zebra, bgpd and bfdd do not start without it; rates are tried in a network namespace',
  CAP_SETUID: 'OpenVPN, FRR and dnsmasq go on as accounts of their own',
  CAP_SETGID: 'OpenVPN, FRR and dnsmasq go on as accounts of their own',
  CAP_KILL: 'processes of these accounts are stopped',
  CAP_CHOWN: 'the folder of FRR belongs to its account',
} as const

export type UnitCapability = keyof typeof UNIT_CAPABILITIES
