import { GAP, GAP_MAX, NODE_HEIGHT_PX } from './grid.ts'
import { isCollapsible, type Point, type Topology, type TopologyLink, type TopologyNode } from './topology-types.ts'
import { PORT_KINDS, PORT_PX, portY } from './ports.ts'

/* Lines of the topology: single lines between nodes, and trunks from a centre or POP node to the points. */

/** One line between a centre and a node, for a link. */
export interface TopologyEdge {
  readonly id: string
  readonly center: string
  readonly node: string
  readonly from: Point
  readonly to: Point
  /** Bends of the line in the gap above the row of the node; null in the first column. */
  readonly lane: readonly [Point, Point] | null
  readonly links: readonly string[]
  /** The line joins two centres or two other members. It is always drawn, because no trunk stands for it. */
  readonly isPair?: true
}

/** One thick line between a centre or POP node and the points, for all of its links. */
export interface Trunk {
  readonly id: string
  readonly center: string
  readonly from: Point
  readonly to: Point
  readonly links: readonly string[]
}

/** Vertical offset at which single lines leave a centre, below its trunk. */
const LEAVE_PX = NODE_HEIGHT_PX / 2 + 9
const LANE = { centers: 3, centerPx: 2.5, turnPx: 16 } as const

/** Lines that may be drawn, each to a point with a node of its own. */
export function createEdges(
  { nodes, frame, nodeWidth }: Topology,
  links: readonly TopologyLink[],
): readonly TopologyEdge[] {
  const centers = nodes.filter(({ kind }) => kind === 'center')
  const single = new Map(nodes.filter((one) => !isCollapsible(one)).map((one) => [one.id, one]))
  const firstCenter = links.some(({ kind }) => kind === 'pop') ? 1 : 0 // all POP nodes share the first port
  const ports = firstCenter + centers.length
  const order = new Map(centers.map(({ id }, i) => [id, firstCenter + i]))
  const bundles = new Map<string, { center: TopologyNode; node: TopologyNode; links: string[] }>()
  for (const link of links) {
    if (!PORT_KINDS.has(link.kind)) continue
    const center = single.get(link.server)
    const node = single.get(link.client)
    if ((center?.kind !== 'center' && center?.kind !== 'pop') || node === undefined || node.kind === 'center') continue
    const id = `edge:${link.id}`
    const bundle = bundles.get(id)
    if (bundle) bundle.links.push(link.id)
    else bundles.set(id, { center, node, links: [link.id] })
  }
  const pairs = links.flatMap((link) => {
    const [server, client] = [single.get(link.server), single.get(link.client)]
    const isSingle = PORT_KINDS.has(link.kind) && client?.kind !== 'center'
    return isSingle || !server || !client ? [] : [pairEdge(link, server, client, nodeWidth)]
  })
  const access = [...bundles].map(([id, bundle]): TopologyEdge => {
    const index = order.get(bundle.center.id) ?? 0
    const port = { x: bundle.node.x - PORT_PX.radius, y: bundle.node.y + portY(index, ports) }
    const y = bundle.node.y - GAP.row / 2 + ((index % LANE.centers) - (LANE.centers - 1) / 2) * LANE.centerPx
    return {
      id,
      center: bundle.center.id,
      node: bundle.node.id,
      from: { x: bundle.center.x + nodeWidth, y: bundle.center.y + LEAVE_PX },
      to: port,
      lane:
        bundle.node.column <= 0 || frame === null
          ? null
          : [
              { x: frame.x + LANE.turnPx, y },
              { x: bundle.node.x - LANE.turnPx, y },
            ],
      links: bundle.links,
    }
  })
  return [...access, ...pairs]
}

const PAIR_PX = 12

/**
 * Line between two centres, or two other members. Centres and POP nodes stand in one column, and their line runs at its
 * left. A line between distant nodes of one column runs at its right, so that it does not seem to end at a node between
 * them. All other lines are straight and run behind the nodes.
 */
function pairEdge(link: TopologyLink, server: TopologyNode, client: TopologyNode, nodeWidth: number): TopologyEdge {
  const isTwin = link.kind === 'center' || link.kind === 'pop'
  const isApart = server.x === client.x && Math.abs(server.y - client.y) > NODE_HEIGHT_PX + GAP_MAX.row
  const startX = isTwin ? 0 : isApart ? nodeWidth : nodeWidth / 2
  const at = ({ x, y }: Point): Point => ({ x: x + startX, y: y + NODE_HEIGHT_PX / 2 })
  const [from, to] = [at(server), at(client)]
  const x = from.x + (isTwin ? -PAIR_PX : PAIR_PX)
  return {
    id: `edge:${link.id}`,
    center: server.id,
    node: client.id,
    from,
    to,
    lane:
      isTwin || isApart
        ? [
            { x, y: from.y },
            { x, y: to.y },
          ]
        : null,
    links: [link.id],
    isPair: true,
  }
}

export function createTrunks({ nodes, frame, nodeWidth }: Topology, links: readonly TopologyLink[]): readonly Trunk[] {
  if (frame === null) return []
  const byCenter = new Map<string, string[]>()
  const centers = new Set(nodes.filter(({ kind }) => kind === 'center').map(({ id }) => id))
  for (const { id, server, client, kind } of links) {
    if (!PORT_KINDS.has(kind) || centers.has(client)) continue
    const own = byCenter.get(server)
    if (own) own.push(id)
    else byCenter.set(server, [id])
  }
  return nodes.flatMap(({ id, kind, x, y }) => {
    const own = byCenter.get(id) ?? []
    if ((kind !== 'center' && kind !== 'pop') || own.length === 0) return []
    const middle = y + NODE_HEIGHT_PX / 2
    return {
      id: `trunk:${id}`,
      center: id,
      from: { x: x + nodeWidth, y: middle },
      to: { x: frame.x, y: middle },
      links: own,
    }
  })
}
