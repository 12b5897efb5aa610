import type { BgpConfig, BgpRouter, MapEntry, Neighbor } from './running-config.ts'

/*
 * Commands that turn one BGP configuration into another. Both are parsed, so they are computed and not searched. A command
 * has an effect on the parts that differ and on no other session.
 */

/** bgpd holds back the effects of changed maps and lists meanwhile; the configured 0 lets go of all of them at once. */
const HOLD = 'bgp route-map delay-timer 600'
const RELEASE = 'bgp route-map delay-timer 0'

/** Commands that take off the neighbours which `to` does not have, before their tunnels go. */
export function leaveCommands(from: BgpConfig, to: BgpConfig): string[] {
  if (!from.router) return []
  if (from.router.asn !== to.router?.asn) return [`no router bgp ${from.router.asn}`]
  const gone = leavingNeighbors(from, to)
  return gone.length === 0 ? [] : inRouter(from.router.asn, gone.map(removeNeighbor))
}

/** Addresses of the neighbours that go. Those of another AS number of this device all do. */
export function leavingNeighbors(from: BgpConfig, to: BgpConfig): string[] {
  const kept = from.router?.asn === to.router?.asn ? to.router?.neighbors : undefined
  return [...(from.router?.neighbors.keys() ?? [])].filter((address) => !kept?.has(address))
}

/** The rest, from the configuration that `leaveCommands` leaves. Empty if there is nothing to change. */
export function joinCommands(from: BgpConfig, to: BgpConfig): string[] {
  const before = from.router?.asn === to.router?.asn ? from.router : null
  const policy = [...listCommands(from, to), ...mapCommands(from, to)]
  const router = to.router ? routerCommands(before, to.router) : []
  const stale = [...removedMaps(from, to), ...removedLists(from, to)]
  const commands = [...policy, ...router, ...stale]
  if (commands.length > 0) return [HOLD, ...commands, RELEASE, ...refreshCommands(from, to)]
  return to.router && !from.globals.includes(RELEASE) ? [RELEASE] : []
}

/** A changed filter of a neighbour, unlike a map, has no effect on routes that are there until they are sent again. */
function refreshCommands(from: BgpConfig, to: BgpConfig): string[] {
  const entries = [...new Set([...from.lists.keys(), ...to.lists.keys()])]
  const changed = new Set(entries.filter((key) => from.lists.get(key) !== to.lists.get(key)).map(listOf))
  return [...(to.router?.neighbors ?? [])].flatMap(([address, { family }]) => {
    const [, list] = /^prefix-list (\S+) in$/m.exec(family.join('\n')) ?? []
    const isChanged = changed.has(`ip prefix-list ${list}`) && from.router?.neighbors.has(address) === true
    return isChanged ? [`do clear bgp ipv4 unicast ${address} soft in`] : []
  })
}

const inRouter = (asn: number, lines: readonly string[]): string[] => [`router bgp ${asn}`, ...lines, 'exit']
const removeNeighbor = (address: string): string => `no neighbor ${address}`

/**
 * Entries of lists that stay: those that go, and then those that come, because a list takes no entry twice, not even under
 * another number.
 */
function listCommands(from: BgpConfig, to: BgpConfig): string[] {
  const kept = new Set([...to.lists.keys()].map(listOf))
  const gone = [...from.lists].filter(([key, line]) => kept.has(listOf(key)) && to.lists.get(key) !== line)
  const come = [...to.lists].filter(([key, line]) => from.lists.get(key) !== line)
  return [...gone.map(([, line]) => `no ${line}`), ...come.map(([, line]) => line)]
}

/** Lists that go, once no route map matches them. */
function removedLists(from: BgpConfig, to: BgpConfig): string[] {
  const kept = new Set([...to.lists.keys()].map(listOf))
  return [...from.lists].filter(([key]) => !kept.has(listOf(key))).map(([, line]) => `no ${line}`)
}

const listOf = (key: string): string => key.replace(/ seq \d+$/, '')

/** The block of an entry is left by the next command: `exit` would make bgpd commit each entry alone. */
function mapCommands(from: BgpConfig, to: BgpConfig): string[] {
  return [...to.maps].flatMap(([key, entry]) => {
    const before = from.maps.get(key)
    if (before && isSame(before, entry)) return []
    return [...(before ? [removeEntry(before)] : []), head(entry), ...entry.lines]
  })
}

const removedMaps = (from: BgpConfig, to: BgpConfig): string[] =>
  [...from.maps].filter(([key]) => !to.maps.has(key)).map(([, entry]) => removeEntry(entry))

const head = ({ name, action, seq }: MapEntry): string => `route-map ${name} ${action} ${seq}`
const removeEntry = (entry: MapEntry): string => `no ${head(entry)}`
const isSame = (a: MapEntry, b: MapEntry): boolean => a.action === b.action && a.lines.join('\n') === b.lines.join('\n')

function routerCommands(before: BgpRouter | null, router: BgpRouter): string[] {
  const own = change(before?.lines ?? [], router.lines)
  const outer = [...router.neighbors].flatMap(([address, neighbor]) =>
    sessionCommands(address, before?.neighbors.get(address), neighbor),
  )
  const family = [
    ...change(before?.family ?? [], router.family),
    ...[...router.neighbors].flatMap(([address, neighbor]) =>
      familyCommands(address, before?.neighbors.get(address), neighbor),
    ),
  ]
  if (before && own.length + outer.length + family.length === 0) return []
  const inFamily = family.length === 0 ? [] : ['address-family ipv4 unicast', ...family, 'exit-address-family']
  return inRouter(router.asn, [...own, ...outer, ...inFamily])
}

/** A neighbour of another AS is another peer: it is made anew. */
function sessionCommands(address: string, before: Neighbor | undefined, after: Neighbor): string[] {
  const kept = before?.asn === after.asn ? before : undefined
  return [
    ...(before && !kept ? [removeNeighbor(address)] : []),
    ...(kept ? [] : [`neighbor ${address} remote-as ${after.asn}`]),
    ...change(kept?.lines ?? [], after.lines, `neighbor ${address} `),
  ]
}

/** A neighbour of the family has to be activated first, because its other lines need it. */
function familyCommands(address: string, before: Neighbor | undefined, after: Neighbor): string[] {
  const kept = before?.asn === after.asn ? before.family : []
  const lines = after.family.toSorted((a, b) => Number(b === ACTIVATE) - Number(a === ACTIVATE))
  return change(kept, lines, `neighbor ${address} `)
}

const ACTIVATE = 'activate'

/** Lines that go, negated, and then those that come. A line that another one of its key replaces is not negated. */
function change(before: readonly string[], after: readonly string[], prefix = ''): string[] {
  const come = after.filter((line) => !before.includes(line))
  const replaced = new Set(come.map(keyOf))
  const gone = before.filter((line) => !after.includes(line) && !replaced.has(keyOf(line)))
  return [...gone.map((line) => negate(line, prefix)), ...come.map((line) => assert(line, prefix))]
}

/** Start of a line that stands once in its block, so that a new value replaces the old one; else the whole line. */
const SINGLE = /^(?:maximum-paths|bgp router-id|timers connect|timers|advertisement-interval|update-source)(?= )/
const MAP_USE = /^route-map \S+ (in|out)$/
const keyOf = (line: string): string => MAP_USE.exec(line)?.[1] ?? SINGLE.exec(line)?.[0] ?? line

const negate = (line: string, prefix: string): string =>
  line.startsWith('no ') ? `${prefix}${line.slice(3)}` : `no ${prefix}${line}`
const assert = (line: string, prefix: string): string =>
  line.startsWith('no ') ? `no ${prefix}${line.slice(3)}` : `${prefix}${line}`
