import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { countText } from '#lib/format/format-unit.ts'
import { byLabel } from '#pages/network/network-order.ts'
import { memberCell, pointCells, popCell, softwareCells } from './cells.ts'
import { type Crowd, crowdCells } from './crowd.ts'
import { measureMap } from './density-map.ts'
import { columnsIn, CROWD_ABOVE, FRAME_PAD_PX, GAP, type Grid, gridFor, NODE_HEIGHT_PX, PADDING_PX } from './grid.ts'
import type {
  DensityMap,
  Point,
  Rect,
  SectionTitle,
  Size,
  Topology,
  TopologyCell,
  TopologyMember,
  TopologyNode,
  TopologyShape,
} from './topology-types.ts'

/* Layout of the topology: positions of all nodes, titles and the frame, from members and window size. */

export interface LayoutOptions {
  readonly viewport: Size
  /** Ids of groups and folds that are expanded. */
  readonly open: ReadonlySet<string>
  /** Names of members that never fold: the selected one, and the current match of a search. */
  readonly pinned: ReadonlySet<string>
}

/** Number of centres above which they stand closer together. */
const CENTERS_APART = 3

interface Sections extends Readonly<Record<'centers' | 'points' | 'software', readonly TopologyMember[]>> {
  /** Names of the points in the order of the density map. */
  readonly names: readonly string[]
}

/** Cached, because sorting two thousand names takes longer than the rest of a layout. */
const sectionsOf = new WeakMap<TopologyShape, Sections>()

export function toSections(shape: TopologyShape): Sections {
  const known = sectionsOf.get(shape)
  if (known !== undefined) return known
  // The same members always give the same order.
  const sorted = shape.members.toSorted((a, b) => byLabel.compare(a.label, b.label) || (a.name < b.name ? -1 : 1))
  const points = sorted.filter(({ role, routerType }) => role === 'point' && routerType === ROUTER_TYPE.hardware)
  const sections: Sections = {
    centers: sorted.filter(({ role }) => role === 'center'),
    points: [...points.filter(({ isFirst }) => isFirst), ...points.filter(({ isFirst }) => !isFirst)],
    names: points.map(({ name }) => name),
    software: sorted.filter(({ role, routerType }) => role === 'point' && routerType === ROUTER_TYPE.software),
  }
  sectionsOf.set(shape, sections)
  return sections
}

/** POP and centres in a column at the left, points in a grid by rows at their right, software members below it. */
export function layoutTopology(shape: TopologyShape, { viewport, open, pinned }: LayoutOptions): Topology {
  const { centers, points, software, names } = toSections(shape)
  const column = placeLeft(shape.pops, centers)
  const hasSoftware = software.length > 0
  const grid = gridFor(viewport, { points: points.length, hasSoftware, leftBottom: column.bottom })
  const isCrowd = points.length > CROWD_ABOVE
  const x = column.nodes.length === 0 ? 0 : grid.nodeWidth + grid.gap.trunk
  const gridAt = { x: x + FRAME_PAD_PX, y: GAP.title + FRAME_PAD_PX }
  const { nodes: placed, map } = isCrowd
    ? placeCrowd(crowdCells(points, { capacity: grid.capacity, open }), { grid, at: gridAt, names })
    : { nodes: placeGrid(pointCells(points, { capacity: grid.capacity, open, pinned }), grid, gridAt), map: null }
  // If all points fit, the lower side is centred beside the higher; else both start at the top and stay there.
  const isWhole = points.length > 0 && !isCrowd && points.length <= grid.capacity
  const lower = isWhole ? Math.floor((bottomOf(placed) - column.bottom) / 2) : 0
  const leftNodes = moveDown(column.nodes, Math.max(0, lower))
  const pointNodes = moveDown(placed, Math.max(0, -lower))
  const frame: Rect | null =
    pointNodes.length === 0
      ? null
      : {
          x,
          y: GAP.title,
          width:
            measureSpan(
              isCrowd ? grid.columns : Math.min(grid.columns, pointNodes.length),
              grid.nodeWidth,
              grid.gap.column,
            ) +
            2 * FRAME_PAD_PX,
          height:
            Math.max(bottomOf(pointNodes), map === null ? 0 : map.y + map.height, column.bottom) +
            FRAME_PAD_PX -
            GAP.title,
        }
  const softwareTop = frame === null ? 0 : frame.y + frame.height + GAP.section
  const across = columnsIn(viewport.width - 2 * PADDING_PX - gridAt.x, grid.nodeWidth, grid.gap.column)
  const softwareGrid = { ...grid, columns: Math.max(grid.columns, across) }
  const softwareNodes = placeGrid(softwareCells(software, { open, pinned }), softwareGrid, {
    x: gridAt.x,
    y: softwareTop + GAP.title,
  })
  const nodes = [...leftNodes, ...pointNodes, ...softwareNodes]
  const titles = [
    ...moveDown(column.titles, Math.max(0, lower)),
    ...(frame === null ? [] : [{ label: `普通点 ${countText(points.length)}`, x, y: 0 }]),
    ...(softwareNodes.length === 0
      ? []
      : [{ label: `软件成员 ${countText(software.length)}`, x: gridAt.x, y: softwareTop }]),
  ]
  return {
    nodes,
    titles,
    frame,
    map,
    nodeWidth: grid.nodeWidth,
    width: Math.max(0, frame === null ? 0 : frame.x + frame.width, ...nodes.map((node) => node.x + grid.nodeWidth)),
    height: Math.max(0, frame === null ? 0 : frame.y + frame.height, bottomOf(nodes)),
  }
}

function placeLeft(pops: TopologyShape['pops'], centers: readonly TopologyMember[]) {
  const nodes: TopologyNode[] = []
  const titles: SectionTitle[] = []
  let y = 0
  const place = (label: string, cells: readonly TopologyCell[]) => {
    if (cells.length === 0) return
    titles.push({ label, x: 0, y })
    y += GAP.title + (nodes.length === 0 ? FRAME_PAD_PX : 0)
    const gap = cells.length > CENTERS_APART ? GAP.manyCenters : GAP.center
    for (const cell of cells) {
      nodes.push({ ...cell, x: 0, y, column: -1 })
      y += NODE_HEIGHT_PX + gap
    }
  }
  place('POP', pops.map(popCell))
  place(
    `中心点 ${centers.length}`,
    centers.map((center) => memberCell(center, 'center')),
  )
  return { nodes, titles, bottom: bottomOf(nodes) }
}

function placeGrid(cells: readonly TopologyCell[], grid: Grid, at: Point): readonly TopologyNode[] {
  return cells.map((cell, i) => {
    const column = i % grid.columns
    const row = Math.floor(i / grid.columns)
    return {
      ...cell,
      column,
      x: at.x + column * (grid.nodeWidth + grid.gap.column),
      y: at.y + row * (NODE_HEIGHT_PX + grid.gap.row),
    }
  })
}

/** Nodes of abnormal points and blocks, the map of all points below them, then the members of opened blocks. */
function placeCrowd(
  { head, opened }: Crowd,
  { grid, at, names }: { readonly grid: Grid; readonly at: Point; readonly names: readonly string[] },
): { readonly nodes: readonly TopologyNode[]; readonly map: DensityMap } {
  const above = placeGrid(head, grid, at)
  const width = measureSpan(grid.columns, grid.nodeWidth, grid.gap.column)
  const map = { ...measureMap(names.length, width), x: at.x, y: bottomOf(above) + GAP.section, names }
  const below = placeGrid(opened, grid, { x: at.x, y: map.y + map.height + GAP.section })
  return { nodes: [...above, ...below], map }
}

const moveDown = <P extends Point>(points: readonly P[], by: number): readonly P[] =>
  points.map((point) => ({ ...point, y: point.y + by }))

const bottomOf = (nodes: readonly Point[]): number => Math.max(0, ...nodes.map(({ y }) => y + NODE_HEIGHT_PX))
const measureSpan = (count: number, size: number, gap: number): number => count * (size + gap) - gap
