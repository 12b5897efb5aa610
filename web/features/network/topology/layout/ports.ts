import type { LinkState, LinkView } from '#contract/kernel/protocol.ts'
import { countLinks, countOpened, isMostlyUnknown } from '#domain/health/link.ts'
import { NODE_HEIGHT_PX } from './grid.ts'
import type { TopologyCell } from './topology-types.ts'

/* Ports of the nodes of the topology: the state of the links to POP and to each centre, as marks on the left edge. */

/** `mixed`: some links of a range of members are up, others are not. */
export type BundleState = LinkState | 'mixed'

/** Links by member, then by centre. */
export type LinksByMember = ReadonlyMap<string, ReadonlyMap<string, LinkView>>

export function indexLinks(links: readonly LinkView[]): LinksByMember {
  const index = new Map<string, Map<string, LinkView>>()
  for (const link of links) {
    const own = index.get(link.router_name)
    if (own) own.set(link.center_router_name, link)
    else index.set(link.router_name, new Map([[link.center_router_name, link]]))
  }
  return index
}

/** Kinds of links that lead to a centre or POP node, which counts them. */
export const PORT_KINDS: ReadonlySet<LinkView['kind']> = new Set([undefined, 'pop'])

/** Servers behind one port of a point: a centre, or all POP nodes. */
export type PortPath = readonly string[]

/** Paths in the order of the left column: POP, if members dial POP nodes, then each centre. */
export function toPortPaths(
  links: readonly Pick<LinkView, 'kind' | 'center_router_name'>[],
  centers: readonly string[],
): readonly PortPath[] {
  const pops = new Set(links.flatMap(({ kind, center_router_name }) => (kind === 'pop' ? center_router_name : [])))
  return [...(pops.size === 0 ? [] : [[...pops]]), ...centers.map((center) => [center])]
}

/** Groups links by their centre or POP node; a link between two centres or two others belongs to neither. */
export function groupByCenter(links: readonly LinkView[]): ReadonlyMap<string, readonly LinkView[]> {
  const groups = new Map<string, LinkView[]>()
  for (const link of links) {
    if (!PORT_KINDS.has(link.kind)) continue
    const own = groups.get(link.center_router_name)
    if (own) own.push(link)
    else groups.set(link.center_router_name, [link])
  }
  return groups
}

const WORST: readonly LinkState[] = ['down', 'one_sided', 'unknown', 'up', 'never']

/**
 * `mixed` if some links have a fault and others are up or unknown (one that is down must not turn fifty red), unknown if
 * most are, else the worst state; null without links. A few that are still unknown beside those that are up are no fault,
 * as in the health of the network.
 */
export function bundleState(links: readonly Pick<LinkView, 'state'>[]): BundleState | null {
  const states = new Set(links.map(({ state }) => state))
  const isFaulty = states.has('down') || states.has('one_sided')
  if (isFaulty && (states.has('up') || states.has('unknown'))) return 'mixed'
  if (states.has('up')) return isMostlyUnknown(countOpened(countLinks(links))) ? 'unknown' : 'up'
  return WORST.find((state) => states.has(state)) ?? null
}

/** One state for each path, in their order; null if the member has no link on the path. */
export function portStates(
  cell: Pick<TopologyCell, 'members'>,
  paths: readonly PortPath[],
  links: LinksByMember,
): readonly (BundleState | null)[] {
  const linksOn = (path: PortPath) =>
    cell.members.flatMap((name) => path.flatMap((server) => links.get(name)?.get(server) ?? []))
  return paths.map((path) => bundleState(linksOn(path)))
}

/** Shapes of the marks: they differ without colour, too. */
export type PortMark = 'up' | 'down' | 'half' | 'idle'
export const PORT_MARKS: readonly PortMark[] = ['up', 'down', 'half', 'idle']

const MARK: Readonly<Record<BundleState, PortMark>> = {
  up: 'up',
  down: 'down',
  one_sided: 'half',
  mixed: 'half',
  unknown: 'idle',
  never: 'idle',
}
export const portMark = (state: BundleState): PortMark => MARK[state]

export const PORT_PX = { radius: 4.5, pitch: 12, edge: 2 } as const
const RIM_PX = 1.75

/** Marks of many centres are smaller, so that all of them stand on the edge of the node. */
function portSize(count: number) {
  const pitch = Math.min(PORT_PX.pitch, (NODE_HEIGHT_PX - PORT_PX.edge) / Math.max(1, count))
  return { pitch, radius: Math.min(PORT_PX.radius, pitch / 2 - 0.5) }
}

/** Distance of a port below the top of its node. */
export function portY(index: number, count: number): number {
  return NODE_HEIGHT_PX / 2 + (index - (count - 1) / 2) * portSize(count).pitch
}

const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`
const halfCircle = (x: number, y: number, r: number) => `M${x} ${y - r}a${r} ${r} 0 0 1 0 ${2 * r}Z`

/** Path of a mark: filled, hollow, half, or a ring that the style sheet dots. For `fill-rule: evenodd`. */
export function markPath(mark: PortMark, x: number, y: number, radius: number): string {
  const rim = Math.min(RIM_PX, radius / 2)
  const outer = circle(x, y, radius)
  if (mark === 'down') return outer + circle(x, y, radius - rim)
  if (mark === 'half') return outer + halfCircle(x, y, radius - rim)
  return mark === 'up' ? outer : circle(x, y, radius - 0.5)
}

export type PortPaths = Readonly<Record<PortMark | 'ground', string>>
export const NO_PORTS: PortPaths = { ground: '', up: '', down: '', half: '', idle: '' }

/** Marks on the left edge, one path for each shape; `ground` keeps the border from showing through. */
export function portPaths(states: readonly (BundleState | null)[]): PortPaths {
  const paths = { ...NO_PORTS }
  const { radius } = portSize(states.length)
  for (const [i, state] of states.entries()) {
    if (state === null) continue
    const y = portY(i, states.length)
    paths.ground += circle(0, y, radius + 1.5)
    paths[portMark(state)] += markPath(portMark(state), 0, y, radius)
  }
  return paths
}
