import {
  CLIENT_ADDRESS,
  NODES,
  NODE_NAMES,
  type NodeName,
  SERVICE_ADDRESS,
  SITES,
  SITE_NAMES,
  SPARES,
  type Site,
  type SiteName,
  WEB_ADDRESS,
  addressIn,
  hostsOf,
} from './sites.ts'

/*
 * Plan of the bed: namespaces, and for each the commands that make its links, addresses and routes. Pure. Both ends of a
 * cable are made inside namespaces, so that none is ever in the machine's own network.
 */

export interface Namespace {
  readonly name: string
  readonly sysctls: readonly string[]
  /** Commands of `ip` that make links, argument by argument. The far end of a cable is in another namespace. */
  readonly links: readonly (readonly string[])[]
  /** Commands for links that stand by then in all namespaces. */
  readonly settings: readonly (readonly string[])[]
  /** Text for `nft -f -`; null for none. */
  readonly filter: string | null
}

interface Part {
  readonly of: string
  readonly commands: readonly (readonly string[])[]
}

interface End {
  readonly of: string
  readonly port: string
  /** With its mask; null for a port of a bridge. */
  readonly address: string | null
}

export const INTERNET = 'inet'
export const BRIDGE = 'br0'
export const routerName = (site: SiteName | NodeName): string => `r${site}`
export const hostName = (host: string): string => `h${host}`
export const CLIENT = 'client'
const natName = (site: SiteName): string => `nat${site}`
const switchName = (site: SiteName): string => `sw${site}`

const command = (text: string): readonly string[] => text.split(' ')
const makesLink = ([object, verb]: readonly string[]): boolean => object === 'link' && verb === 'add'
const isBehindNat = ({ address, wan }: Site): boolean => address !== wan
const gatewayOf = (address: string): string => address.replace(/\d+$/, '1')

/** A cable, which its first end's namespace makes. */
function cable(a: End, b: End, full: (name: string) => string): readonly Part[] {
  const raise = ({ of, port, address }: End): Part => ({
    of,
    commands: [
      ...(address === null ? [] : [command(`addr add ${address} dev ${port}`)]),
      command(`link set ${port} up`),
    ],
  })
  const made = { of: a.of, commands: [command(`link add ${a.port} type veth peer name ${b.port} netns ${full(b.of)}`)] }
  return [made, raise(a), raise(b)]
}

const bridge = (of: string, name: string, address: string): Part => ({
  of,
  commands: [
    command(`link add ${name} type bridge`),
    command(`addr add ${address} dev ${name}`),
    command(`link set ${name} up`),
  ],
})
const enslave = (of: string, port: string, master: string): Part => ({
  of,
  commands: [command(`link set ${port} master ${master}`)],
})
const route = (of: string, to: string, via: string): Part => ({ of, commands: [command(`route add ${to} via ${via}`)] })

type Full = (name: string) => string

/** A port of the internet's bridge. */
const uplink = (of: string, address: string, full: Full): readonly Part[] => [
  ...cable({ of, port: 'wan', address: `${address}/24` }, { of: INTERNET, port: `to-${of}`, address: null }, full),
  enslave(INTERNET, `to-${of}`, BRIDGE),
  route(of, 'default', SERVICE_ADDRESS),
]

function planWan(name: SiteName, full: Full): readonly Part[] {
  const site = SITES[name]
  const router = routerName(name)
  if (!isBehindNat(site)) return uplink(router, site.wan, full)
  const inside = { of: natName(name), port: 'lan', address: `${gatewayOf(site.wan)}/24` }
  return [
    ...uplink(natName(name), site.address, full),
    ...cable({ of: router, port: 'wan', address: `${site.wan}/24` }, inside, full),
    route(router, 'default', gatewayOf(site.wan)),
  ]
}

function planLans(name: SiteName, full: Full): readonly Part[] {
  const { lans, switched } = SITES[name]
  const [router, hosts] = [routerName(name), hostsOf(name)]
  return lans.flatMap(({ port, segment }, n) => {
    const host = hosts[n]
    if (!host) return []
    const gateway = addressIn(segment, 1)
    const own = { of: router, port, address: `${gateway}/24` }
    const far = { of: hostName(host.name), port: 'lan', address: `${host.address}/24` }
    const isSwitched = switched !== null && n === 0
    return [
      ...(isSwitched ? planSwitch(name, own, far, full) : cable(own, far, full)),
      route(far.of, 'default', gateway),
    ]
  })
}

/** A layer 3 switch on the LAN of a router, with the host of that LAN and another one behind it. */
function planSwitch(name: SiteName, router: End, host: End, full: Full): readonly Part[] {
  const { switched } = SITES[name]
  const behind = hostsOf(name).at(-1)
  if (!switched || !behind) return []
  const of = switchName(name)
  const gateway = addressIn(switched.segment, 1)
  return [
    bridge(of, BRIDGE, `${switched.via}/24`),
    ...cable({ of, port: 'router', address: null }, router, full),
    ...cable({ of, port: 'host', address: null }, host, full),
    enslave(of, 'router', BRIDGE),
    enslave(of, 'host', BRIDGE),
    ...cable(
      { of, port: 'behind', address: `${gateway}/24` },
      { of: hostName(behind.name), port: 'lan', address: `${behind.address}/24` },
      full,
    ),
    route(hostName(behind.name), 'default', gateway),
    route(of, 'default', router.address?.replace(/\/\d+$/, '') ?? ''),
  ]
}

function planInternet(full: Full): readonly Part[] {
  return [
    bridge(INTERNET, BRIDGE, `${SERVICE_ADDRESS}/24`),
    { of: INTERNET, commands: [command(`addr add ${WEB_ADDRESS}/32 dev lo`)] },
    ...uplink(CLIENT, CLIENT_ADDRESS, full),
    ...NODE_NAMES.flatMap((name) => uplink(routerName(name), NODES[name].address, full)),
    ...Object.entries(SPARES).flatMap(([name, { address, segment }]) => [
      ...uplink(name, address, full),
      ...cable(
        { of: name, port: 'lan', address: `${addressIn(segment, 1)}/24` },
        { of: name, port: 'lan-far', address: null },
        full,
      ),
    ]),
  ]
}

/** NAT of a carrier or of the customer's own box: what comes from inside gets its address, and forwarded ports lead inside. */
function natRules({ forwards, wan }: Site): string {
  const forward = forwards.map(([outside, inside]) => `iifname "wan" udp dport ${outside} dnat to ${wan}:${inside};`)
  return `table ip nat {
  chain in { type nat hook prerouting priority dstnat; ${forward.join(' ')} }
  chain out { type nat hook postrouting priority srcnat; oifname "wan" masquerade; }
}
`
}

/** Firewall of the router's own, beside which the agent's rules have to live: its LAN goes out by its WAN address. */
const OWN_RULES = `table ip own {
  chain out { type nat hook postrouting priority srcnat; oifname "wan" masquerade; }
}
`

const SYSCTLS = ['net.ipv6.conf.all.disable_ipv6=1', 'net.ipv6.conf.default.disable_ipv6=1']
const FORWARDING = 'net.ipv4.ip_forward=1'

const RUN_LETTERS = /^[\w-]{1,40}$/

/** Every namespace of the bed, in no order. @param prefix unique to the run */
export function planBed(prefix: string): readonly Namespace[] {
  if (!RUN_LETTERS.test(prefix)) throw new Error(`not a prefix of namespaces: ${prefix}`)
  const full = (name: string) => `${prefix}-${name}`
  const parts = [
    ...planInternet(full),
    ...SITE_NAMES.flatMap((name) => [...planWan(name, full), ...planLans(name, full)]),
  ]
  const passes = new Set([INTERNET, ...SITE_NAMES.flatMap((name) => [natName(name), switchName(name)])])
  const filters = new Map(
    SITE_NAMES.flatMap((name) => [
      [natName(name), natRules(SITES[name])],
      [routerName(name), OWN_RULES],
    ]),
  )
  return [...Map.groupBy(parts, ({ of }) => of)].map(([of, own]) => {
    const commands = [command('link set lo up'), ...own.flatMap((part) => part.commands)]
    return {
      name: full(of),
      sysctls: [...SYSCTLS, ...(passes.has(of) ? [FORWARDING] : [])],
      links: commands.filter(makesLink),
      settings: commands.filter((one) => !makesLink(one)),
      filter: filters.get(of) ?? null,
    }
  })
}
