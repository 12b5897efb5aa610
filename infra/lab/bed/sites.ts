/* Sites of the lab: the routers of two customers with their addresses, and the segments behind them. */

export type SiteName = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'X' | 'Y'

interface Lan {
  /** Port of the router. */
  readonly port: string
  readonly segment: string
}

/** A network behind the router's own LAN, reached by a layer 3 switch on it. */
interface SwitchedLan {
  readonly via: string
  readonly segment: string
}

export interface Site {
  /** Address that the internet sees. */
  readonly address: string
  /** Address of the router's own WAN port; another one than `address` behind NAT. */
  readonly wan: string
  /** UDP ports of the NAT and of the router behind it: the forwarding that a customer has set up there. */
  readonly forwards: readonly (readonly [outside: number, inside: number])[]
  readonly lans: readonly [Lan, ...Lan[]]
  readonly switched: SwitchedLan | null
}

/** Port of link probes, the same at every router, because the forwarding names it. */
export const PROBE_PORT = 3_900
/** First port of the forwarding to centre A, and the port of the router that it leads to. */
export const FORWARDED = { outside: 40_001, inside: 11_941, count: 8 } as const

const simple = (address: string, segment: string): Site => ({
  address,
  wan: address,
  forwards: [],
  lans: [{ port: 'lan', segment }],
  switched: null,
})

/** A, B and F are centres, C, D and E points; X and Y, a centre and a point with the segments of A and C, are another customer's. */
export const SITES: Readonly<Record<SiteName, Site>> = {
  A: {
    ...simple('203.0.113.11', '10.11.0.0/24'),
    wan: '192.168.71.2',
    forwards: [
      ...Array.from({ length: FORWARDED.count }, (_, n) => [FORWARDED.outside + n, FORWARDED.inside + n] as const),
      [PROBE_PORT, PROBE_PORT],
    ],
  },
  B: simple('203.0.113.12', '10.12.0.0/24'),
  F: simple('203.0.113.13', '10.15.0.0/24'),
  C: {
    ...simple('203.0.113.21', '10.13.0.0/24'),
    lans: [
      { port: 'lan', segment: '10.13.0.0/24' },
      { port: 'lan2', segment: '10.13.64.0/24' },
    ],
    switched: { via: '10.13.0.2', segment: '10.13.128.0/24' },
  },
  D: { ...simple('203.0.113.24', '10.14.0.0/24'), wan: '192.168.72.2' },
  E: simple('203.0.113.25', '10.16.0.0/24'),
  X: simple('203.0.113.31', '10.11.0.0/24'),
  Y: simple('203.0.113.32', '10.13.0.0/24'),
}

export const SITE_NAMES = Object.keys(SITES) as SiteName[]

/** Addresses of the internet namespace: the service, and a web server behind it. */
export const SERVICE_ADDRESS = '203.0.113.1'
export const WEB_ADDRESS = '198.51.100.80'
/** Machine of a software member. */
export const CLIENT_ADDRESS = '203.0.113.41'

/** Machines without a router at first, each with a LAN of its own: for a router that a check adds, and for a copy of one. */
export const SPARES = {
  spare: { address: '203.0.113.42', segment: '10.17.0.0/24' },
  copy: { address: '203.0.113.43', segment: '10.17.0.0/24' },
} as const
export type SpareName = keyof typeof SPARES

/** Nodes of the operator, each in an area of its own. */
export const NODES = {
  P1: { address: '203.0.113.51', area: '华东' },
  P2: { address: '203.0.113.52', area: '华北' },
} as const
export type NodeName = keyof typeof NODES
export const NODE_NAMES = Object.keys(NODES) as NodeName[]

/** Address of a router or node that the internet sees. */
export const addressOf = (name: SiteName | NodeName): string =>
  (name in NODES ? NODES[name as NodeName] : SITES[name as SiteName]).address

/** Address by its last number in a /24 segment. */
export const addressIn = (segment: string, host: number): string => segment.replace(/0\/24$/, String(host))

const HOST_NUMBER = 10

/** Hosts behind a router: `C`, behind its second port `C2`, and behind the switch on its LAN `Cs`. */
export function hostsOf(name: SiteName): readonly { readonly name: string; readonly address: string }[] {
  const { lans, switched } = SITES[name]
  const segments = [
    ...lans.map(({ segment }, n) => [n === 0 ? name : `${name}${n + 1}`, segment] as const),
    ...(switched ? [[`${name}s`, switched.segment] as const] : []),
  ]
  return segments.map(([host, segment]) => ({ name: host, address: addressIn(segment, HOST_NUMBER) }))
}

export const hostAddress = (name: string): string => {
  const host = SITE_NAMES.flatMap(hostsOf).find((one) => one.name === name)
  if (!host) throw new Error(`no host ${name}`)
  return host.address
}
