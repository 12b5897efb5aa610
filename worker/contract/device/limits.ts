import { DAY_MS, MINUTE_MS } from '#contract/kernel/time.ts'

/** Limit of wrong activation codes of one address before a pause. A right code always passes. */
export const ENROL_GUARD = { perAddress: 60, windowMinutes: 15 } as const

/** Refused device tokens of an address block and of a /48, from which the reason is no longer said. A right token passes. */
export const CONNECT_GUARD = { perAddress: 300, perWideAddress: 1_000, windowMs: 15 * MINUTE_MS } as const

/** Return tickets of devices. The keys that signed them are kept for a day longer than they are valid. */
export const RETURN_TICKET = {
  seconds: (30 * DAY_MS) / 1000,
  renewMs: DAY_MS, // age from which a connection by a ticket makes a new one
} as const

/** Further addresses of the service that a welcome names. */
export const ENTRIES = { max: 8, lengthMax: 262 } as const // of a DNS name of 253 characters

/** Addresses and names at which other members dial a device. */
export const ENDPOINTS = {
  chosenMax: 4, // by the account, and as many by the agent's command line
  reportedMax: 4,
  listMax: 8,
  hostMax: 253,
  steadyMs: 10 * MINUTE_MS, // an address that was only seen counts once it has stood this long
  namesCapability: 'remotes:names', // of a device that looks up names
} as const

/** Length of the id of a link: a network's number and two router names (worker/domain/network/members/links.ts). */
export const LINK_ID_MAX = 160

/** Capability of a device that runs the tunnels of its document, in its hello. (`tunnel` is that for directories.) */
export const VPN = { capability: 'vpn' } as const

/** Capability of a device that runs networks in namespaces of their own, as a POP node. */
export const POP_NODE = { capability: 'pop' } as const

/** Certificates of devices. */
export const CERTIFICATE = {
  pemMax: 4_096, // characters
  listMax: 524_288, // characters of a revocation list
  requestMax: 2_048, // characters of a request
  requestsPerDay: 8, // signed for a router
  listedMax: 4_000, // entries of a revocation list: the newest
  authorityMs: 3_650 * DAY_MS,
  validMs: 397 * DAY_MS,
  backdatedMs: DAY_MS, // clocks of devices are late
  renewMs: 60 * DAY_MS, // before the end
  restartMs: 20 * DAY_MS, // before the end, at the latest: tunnels restart with the renewed one
  /** Extended key usage of centres and nodes (id-kp-ipsecIKE, RFC 4945 §5.1.3.12): software members ask for it. */
  gatewayUsage: '1.3.6.1.5.5.7.3.17',
  warnMs: 14 * DAY_MS, // before the end: the account gets a row and a message
} as const
