import type { RouterType } from '../../../../worker/contract/limits.ts'
import { type MemberRole, routerTypeName } from '../network-text.ts'

/** What the drawing is made of. States are not in it: they recolour the drawing and never move anything. */
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

export type BoxKind = 'pop' | 'center' | 'point' | 'software' | 'group' | 'fold'

export interface Box {
  readonly id: string
  readonly kind: BoxKind
  readonly label: string
  readonly x: number
  readonly y: number
  /** Whom it stands for: one member, or all that are folded into it. */
  readonly members: readonly string[]
  readonly isOpen: boolean
}

export interface Spot {
  readonly x: number
  readonly y: number
}

export interface Wire {
  readonly id: string
  readonly from: Spot
  readonly to: Spot
  /** Where it enters and leaves the gap between rows in which it runs; none for a neighbour. */
  readonly lane: readonly [Spot, Spot] | null
  /** Boxes at its ends, for highlighting. */
  readonly ends: readonly [string, string]
  /** Links it stands for; none where it only shows what belongs to what. */
  readonly links: readonly string[]
}

export interface ColumnTitle {
  readonly label: string
  readonly x: number
}

export interface Topology {
  readonly boxes: readonly Box[]
  readonly wires: readonly Wire[]
  readonly titles: readonly ColumnTitle[]
  readonly width: number
  readonly height: number
}

export interface LayoutOptions {
  /** Ids of folded boxes that are open. */
  readonly open: ReadonlySet<string>
  /** A column with more members than this is drawn in groups. */
  readonly groupAbove?: number
  readonly groupSize?: number
}

export const BOX = { width: 184, height: 44 } as const
export const SOFTWARE_FOLD = 'fold:software'
const GAP = { row: 20, subColumn: 40, column: 160, title: 36 } as const
const PITCH = { x: BOX.width + GAP.subColumn, y: BOX.height + GAP.row } as const
/** Lanes in a gap: by column, and within that by centre, so that two dashed wires never make a solid one. */
const LANE = { columns: 3, columnPx: 6, centers: 2, centerPx: 3, turnPx: 20 } as const
const ARRIVAL_PX = 6 // between wires of different centres at a box
const ROWS_MIN = 8

/** Rows of a block of n boxes: with what stands beside it about twice as wide as high, its columns equally long. */
function rowsFor(n: number): number {
  const rows = Math.max(ROWS_MIN, Math.ceil(Math.sqrt((n * PITCH.x) / PITCH.y / 1.2)))
  return Math.ceil(n / Math.max(1, Math.ceil(n / rows)))
}

type Cell = Omit<Box, 'x' | 'y'>

const byLabel = new Intl.Collator('zh-CN', { numeric: true })

/** Columns POP → 中心点 → 普通点 → 软件成员, each in the order of its labels: the same members give the same drawing. */
export function layoutTopology(shape: TopologyShape, options: LayoutOptions): Topology {
  const sorted = shape.members.toSorted((a, b) => byLabel.compare(a.label, b.label) || (a.name < b.name ? -1 : 1))
  const centers = sorted.filter(({ role }) => role === 'center')
  const points = sorted.filter(({ role, routerType }) => role === 'point' && routerType === 1)
  const software = sorted.filter(({ role, routerType }) => role === 'point' && routerType === 2)

  const columns = [
    { label: 'POP', cells: popCells(shape.popName) },
    { label: '中心点', cells: centers.map((member) => memberCell(member, 'center')) },
    { label: '普通点', cells: groupCells(points, 'point', options) },
    { label: '软件成员', cells: foldCells(software, options) },
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
      const box = { ...cell, x: x + subColumn * PITCH.x, y: top + (place % count) * PITCH.y }
      placed.push({ box, subColumn, columnX: x, index: place, of: cells.length })
    }
    titles.push({ label, x })
    x += Math.ceil(cells.length / count) * PITCH.x - GAP.subColumn + GAP.column
  }
  return {
    boxes: placed.map(({ box }) => box),
    wires: wiresOf(shape, placed, height + GAP.title),
    titles,
    width: Math.max(0, x - GAP.column),
    height: height + GAP.title + GAP.row,
  }
}

/** A box and its place in its column. */
interface Placed {
  readonly box: Box
  readonly subColumn: number
  readonly columnX: number
  readonly index: number
  readonly of: number
}

function popCells(popName: string): readonly Cell[] {
  if (popName === '') return []
  return [{ id: 'pop', kind: 'pop', label: popName, members: [], isOpen: false }]
}

function memberCell({ name, label }: TopologyMember, kind: BoxKind): Cell {
  return { id: name, kind, label, members: [name], isOpen: false }
}

/** Too many to tell apart: groups by their place in the order, each named by its first and last. */
function groupCells(members: readonly TopologyMember[], kind: BoxKind, options: LayoutOptions): readonly Cell[] {
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

/** 门店 1000 – 1049: what numbered labels have in common is said once, so that both numbers fit. */
function rangeText(first: string, last: string): string {
  const [, name = '', number = ''] = /^(.*?)(\d+)$/.exec(last) ?? []
  const isNumbered = name !== '' && first.startsWith(name) && /^\d+$/.test(first.slice(name.length))
  return `${first} – ${isNumbered ? number : last}`
}

/** Software members come in hundreds and have no standing links: one box with their number until it is opened. */
function foldCells(members: readonly TopologyMember[], options: LayoutOptions): readonly Cell[] {
  if (members.length === 0) return []
  const isOpen = options.open.has(SOFTWARE_FOLD)
  const fold: Cell = {
    id: SOFTWARE_FOLD,
    kind: 'fold',
    label: routerTypeName(2),
    members: members.map(({ name }) => name),
    isOpen,
  }
  return isOpen ? [fold, ...groupCells(members, 'software', options)] : [fold]
}

/** One wire for each link whose ends are drawn, one for all links between a folded group and a centre. */
function wiresOf(shape: TopologyShape, placed: readonly Placed[], bottom: number): readonly Wire[] {
  const ofKind = (kind: BoxKind) => placed.filter(({ box }) => box.kind === kind)
  const single = new Map(
    placed.filter(({ box }) => box.kind !== 'group' && box.kind !== 'fold').map((one) => [one.box.id, one]),
  )
  const folded = new Map(
    ofKind('group')
      .filter(({ box }) => !box.isOpen)
      .flatMap((one) => one.box.members.map((name) => [name, one] as const)),
  )
  const bundles = new Map<string, { server: Placed; client: Placed; links: string[] }>()
  for (const link of shape.links) {
    const server = single.get(link.server)
    const client = single.get(link.client) ?? folded.get(link.client)
    if (server === undefined || client === undefined) continue
    const id = client.box.kind === 'group' ? `${client.box.id}>${link.server}` : link.id
    const bundle = bundles.get(id) ?? { server, client, links: [] }
    bundle.links.push(link.id)
    bundles.set(id, bundle)
  }
  const centers = ofKind('center')
  const hasPoints = ofKind('point').length + ofKind('group').length > 0
  return [
    ...ofKind('pop').flatMap((pop) => centers.map((center) => wire(`pop>${center.box.id}`, pop, center, []))),
    ...ofKind('fold').flatMap((fold) =>
      centers.map((center) => ({
        ...wire(`${fold.box.id}>${center.box.id}`, center, fold, []),
        // Under the points, not through them.
        ...(hasPoints && { lane: lane(center.box.x + BOX.width + GAP.column, fold.box.x, bottom + GAP.row / 2) }),
      })),
    ),
    ...[...bundles].map(([id, { server, client, links }]) => wire(id, server, client, links)),
  ]
}

function wire(id: string, left: Placed, right: Placed, links: readonly string[]): Wire {
  const { box, subColumn, columnX } = right
  const { index, of } = left
  const laneY =
    box.y -
    GAP.row / 2 +
    ((subColumn % LANE.columns) - 1) * LANE.columnPx +
    ((index % LANE.centers) - 0.5) * LANE.centerPx
  const arrival = (index - (of - 1) / 2) * Math.min(ARRIVAL_PX, (BOX.height - 12) / of)
  return {
    id: `wire:${id}`,
    from: { x: left.box.x + BOX.width, y: left.box.y + BOX.height / 2 },
    to: { x: box.x, y: box.y + BOX.height / 2 + arrival },
    lane: subColumn === 0 ? null : lane(columnX, box.x, laneY),
    ends: [left.box.id, box.id],
    links,
  }
}

const lane = (fromX: number, toX: number, y: number): readonly [Spot, Spot] => [
  { x: fromX - LANE.turnPx / 2, y },
  { x: toX - LANE.turnPx, y },
]
