import type { RouterType } from '../../../../worker/contract/limits.ts'
import { type MemberRole, routerTypeName } from '../network-text.ts'

/** Input of the layout. States are left out: they restyle nodes and edges and never move them. */
export interface TopologyShape {
  /** POP resource of the network, or empty. */
  readonly popName: string
  readonly members: readonly TopologyMember[]
  readonly links: readonly TopologyLink[]
}

export interface TopologyMember {
  readonly name: string
  readonly label: string
  readonly role: MemberRole
  readonly routerType: RouterType
}

export interface TopologyLink {
  readonly id: string
  readonly client: string
  readonly server: string
}

export type NodeKind = 'pop' | 'center' | 'point' | 'software' | 'group' | 'collapsedGroup'

export interface TopologyNode {
  readonly id: string
  readonly kind: NodeKind
  readonly label: string
  readonly x: number
  readonly y: number
  /** One member, or all members of a collapsed group. */
  readonly members: readonly string[]
  readonly isOpen: boolean
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface TopologyEdge {
  readonly id: string
  readonly from: Point
  readonly to: Point
  /** Bends where it enters and leaves the gap between two rows; null between neighbouring columns. */
  readonly lane: readonly [Point, Point] | null
  /** Nodes at its ends, for highlighting. */
  readonly ends: readonly [string, string]
  /** Links it stands for; empty where it only shows membership. */
  readonly links: readonly string[]
}

export interface ColumnTitle {
  readonly label: string
  readonly x: number
}

export interface Topology {
  readonly nodes: readonly TopologyNode[]
  readonly edges: readonly TopologyEdge[]
  readonly titles: readonly ColumnTitle[]
  readonly width: number
  readonly height: number
}

export interface LayoutOptions {
  /** Ids of groups that are expanded. */
  readonly open: ReadonlySet<string>
  /** A column with more members than this is drawn in groups. */
  readonly groupAbove?: number
  readonly groupSize?: number
}

export const NODE_SIZE = { width: 184, height: 44 } as const
export const SOFTWARE_GROUP = 'collapsed:software'
const GAP = { row: 20, subColumn: 40, column: 160, title: 36 } as const
const PITCH = { x: NODE_SIZE.width + GAP.subColumn, y: NODE_SIZE.height + GAP.row } as const
/** Lanes in a gap: by column, and within that by centre, so that two dashed edges never make a solid one. */
const LANE = { columns: 3, columnPx: 6, centers: 2, centerPx: 3, turnPx: 20 } as const
const PORT_GAP_PX = 6 // between edges of different centres at a node
const ROWS_MIN = 8

/** Rows of a block of n nodes: the whole drawing about twice as wide as high, its columns equally long. */
function rowsFor(n: number): number {
  const rows = Math.max(ROWS_MIN, Math.ceil(Math.sqrt((n * PITCH.x) / PITCH.y / 1.2)))
  return Math.ceil(n / Math.max(1, Math.ceil(n / rows)))
}

type Cell = Omit<TopologyNode, 'x' | 'y'>

const byLabel = new Intl.Collator('zh-CN', { numeric: true })

/** Columns POP → 中心点 → 普通点 → 软件成员, each sorted by label: the same members always give the same layout. */
export function layoutTopology(shape: TopologyShape, options: LayoutOptions): Topology {
  const sorted = shape.members.toSorted((a, b) => byLabel.compare(a.label, b.label) || (a.name < b.name ? -1 : 1))
  const centers = sorted.filter(({ role }) => role === 'center')
  const points = sorted.filter(({ role, routerType }) => role === 'point' && routerType === 1)
  const software = sorted.filter(({ role, routerType }) => role === 'point' && routerType === 2)

  const columns = [
    { label: 'POP', cells: popCells(shape.popName) },
    { label: '中心点', cells: centers.map((member) => memberCell(member, 'center')) },
    { label: '普通点', cells: groupCells(points, 'point', options) },
    { label: '软件成员', cells: collapsedCells(software, options) },
  ].filter(({ cells }) => cells.length > 0)

  const rows = columns.map(({ cells }) => rowsFor(cells.length))
  const height = Math.max(0, ...rows.map((count) => count * PITCH.y - GAP.row))
  const placed: Placed[] = []
  const titles: ColumnTitle[] = []
  let x = 0
  for (const [index, { label, cells }] of columns.entries()) {
    const count = rows[index] ?? 1
    const top = GAP.title + (height - (count * PITCH.y - GAP.row)) / 2
    for (const [place, cell] of cells.entries()) {
      const subColumn = Math.floor(place / count)
      const node = { ...cell, x: x + subColumn * PITCH.x, y: top + (place % count) * PITCH.y }
      placed.push({ node, subColumn, columnX: x, index: place, of: cells.length })
    }
    titles.push({ label, x })
    x += Math.ceil(cells.length / count) * PITCH.x - GAP.subColumn + GAP.column
  }
  return {
    nodes: placed.map(({ node }) => node),
    edges: createEdges(shape, placed, height + GAP.title),
    titles,
    width: Math.max(0, x - GAP.column),
    height: height + GAP.title + GAP.row,
  }
}

/** A node and its place in its column. */
interface Placed {
  readonly node: TopologyNode
  readonly subColumn: number
  readonly columnX: number
  readonly index: number
  readonly of: number
}

function popCells(popName: string): readonly Cell[] {
  if (popName === '') return []
  return [{ id: 'pop', kind: 'pop', label: popName, members: [], isOpen: false }]
}

function memberCell({ name, label }: TopologyMember, kind: NodeKind): Cell {
  return { id: name, kind, label, members: [name], isOpen: false }
}

/** Above `groupAbove` members: groups of `groupSize` in label order, each named by its first and last. */
function groupCells(members: readonly TopologyMember[], kind: NodeKind, options: LayoutOptions): readonly Cell[] {
  const { open, groupAbove = 200, groupSize = 50 } = options
  if (members.length <= groupAbove) return members.map((member) => memberCell(member, kind))
  const cells: Cell[] = []
  for (let first = 0; first < members.length; first += groupSize) {
    const group = members.slice(first, first + groupSize)
    const id = `group:${kind}:${first / groupSize}`
    const isOpen = open.has(id)
    const label = rangeText(group[0]?.label ?? '', group.at(-1)?.label ?? '')
    cells.push({ id, kind: 'group', label, members: group.map(({ name }) => name), isOpen })
    if (isOpen) cells.push(...group.map((member) => memberCell(member, kind)))
  }
  return cells
}

/** 门店 1000 – 1049: numbered labels share their prefix, so that both numbers fit. */
function rangeText(first: string, last: string): string {
  const [, name = '', number = ''] = /^(.*?)(\d+)$/.exec(last) ?? []
  const isNumbered = name !== '' && first.startsWith(name) && /^\d+$/.test(first.slice(name.length))
  return `${first} – ${isNumbered ? number : last}`
}

/** Software members come in hundreds and have no standing links: one node with their number until it is opened. */
function collapsedCells(members: readonly TopologyMember[], options: LayoutOptions): readonly Cell[] {
  if (members.length === 0) return []
  const isOpen = options.open.has(SOFTWARE_GROUP)
  const group: Cell = {
    id: SOFTWARE_GROUP,
    kind: 'collapsedGroup',
    label: routerTypeName(2),
    members: members.map(({ name }) => name),
    isOpen,
  }
  return isOpen ? [group, ...groupCells(members, 'software', options)] : [group]
}

/** One edge for each link whose ends are drawn, one for all links between a collapsed group and a centre. */
function createEdges(shape: TopologyShape, placed: readonly Placed[], bottom: number): readonly TopologyEdge[] {
  const ofKind = (kind: NodeKind) => placed.filter(({ node }) => node.kind === kind)
  const single = new Map(
    placed
      .filter(({ node }) => node.kind !== 'group' && node.kind !== 'collapsedGroup')
      .map((one) => [one.node.id, one]),
  )
  const collapsed = new Map(
    ofKind('group')
      .filter(({ node }) => !node.isOpen)
      .flatMap((one) => one.node.members.map((name) => [name, one] as const)),
  )
  const bundles = new Map<string, { server: Placed; client: Placed; links: string[] }>()
  for (const link of shape.links) {
    const server = single.get(link.server)
    const client = single.get(link.client) ?? collapsed.get(link.client)
    if (server === undefined || client === undefined) continue
    const id = client.node.kind === 'group' ? `${client.node.id}>${link.server}` : link.id
    const bundle = bundles.get(id) ?? { server, client, links: [] }
    bundle.links.push(link.id)
    bundles.set(id, bundle)
  }
  const centers = ofKind('center')
  const hasPoints = ofKind('point').length + ofKind('group').length > 0
  return [
    ...ofKind('pop').flatMap((pop) => centers.map((center) => edge(`pop>${center.node.id}`, pop, center, []))),
    ...ofKind('collapsedGroup').flatMap((group) =>
      centers.map((center) => ({
        ...edge(`${group.node.id}>${center.node.id}`, center, group, []),
        // Routed below the points' column, not through it.
        ...(hasPoints && {
          lane: lane(center.node.x + NODE_SIZE.width + GAP.column, group.node.x, bottom + GAP.row / 2),
        }),
      })),
    ),
    ...[...bundles].map(([id, { server, client, links }]) => edge(id, server, client, links)),
  ]
}

function edge(id: string, left: Placed, right: Placed, links: readonly string[]): TopologyEdge {
  const { node, subColumn, columnX } = right
  const { index, of } = left
  const laneY =
    node.y -
    GAP.row / 2 +
    ((subColumn % LANE.columns) - 1) * LANE.columnPx +
    ((index % LANE.centers) - 0.5) * LANE.centerPx
  const portOffset = (index - (of - 1) / 2) * Math.min(PORT_GAP_PX, (NODE_SIZE.height - 12) / of)
  return {
    id: `edge:${id}`,
    from: { x: left.node.x + NODE_SIZE.width, y: left.node.y + NODE_SIZE.height / 2 },
    to: { x: node.x, y: node.y + NODE_SIZE.height / 2 + portOffset },
    lane: subColumn === 0 ? null : lane(columnX, node.x, laneY),
    ends: [left.node.id, node.id],
    links,
  }
}

const lane = (fromX: number, toX: number, y: number): readonly [Point, Point] => [
  { x: fromX - LANE.turnPx / 2, y },
  { x: toX - LANE.turnPx, y },
]
