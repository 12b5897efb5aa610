import { measureMap } from './density-map.ts'
import type { Point, Size } from './topology-types.ts'

/* Sizes and grid of the topology drawing: columns, rows and gaps by the size of the window. */

/** Pixels at scale 1, at which texts have 12 and 13 px. */
export const NODE_HEIGHT_PX = 40
export const NODE_WIDTH_PX = { min: 156, max: 208 } as const
export const GAP = { row: 14, column: 16, center: 24, manyCenters: 14, trunk: 80, title: 28, section: 16 } as const
/** Largest gaps, reached if few points leave free space. */
export const GAP_MAX = { row: 24, column: 40, trunk: 200 } as const
const TRUNK_SHARE = 0.6
export const FRAME_PAD_PX = 14
/** At `min` the texts are as small as allowed; a drawing that needs a smaller scale scrolls instead. */
export const SCALE = { min: 1, max: 2, fitMax: 1.15, step: 1.25 } as const
/** Distance between the drawing and the edge of the window. */
export const PADDING_PX = 16
/** Number of rows that are never folded, however small the window. */
const ROWS_MIN = 4
/** Number of points above which only abnormal ones are nodes, beside a density map of all. */
export const CROWD_ABOVE = 200
/** Number of rows of nodes that always stand above the map. */
const CROWD_ROWS_MIN = 2

/** Content that the grid is laid out for. */
interface GridContent {
  readonly points: number
  readonly hasSoftware: boolean
  /** Bottom of the column of POP nodes and centres; 0 without such a column. */
  readonly leftBottom: number
}

export interface Grid {
  readonly columns: number
  readonly nodeWidth: number
  /** Number of nodes in sight at scale 1 without scrolling. */
  readonly capacity: number
  readonly gap: { readonly row: number; readonly column: number; readonly trunk: number }
}

/** Columns that fill most of the window; free space widens the gaps. */
export function gridFor(viewport: Size, { points, hasSoftware, leftBottom }: GridContent): Grid {
  const available = { width: viewport.width - 2 * PADDING_PX, height: viewport.height - 2 * PADDING_PX }
  const inside = available.width - GAP.trunk - 2 * FRAME_PAD_PX
  const most = Math.max(1, columnsIn(inside - NODE_WIDTH_PX.min, NODE_WIDTH_PX.min, GAP.column))
  const around = GAP.title + 2 * FRAME_PAD_PX + (hasSoftware ? GAP.section + GAP.title + NODE_HEIGHT_PX : 0)
  const rows = Math.max(ROWS_MIN, Math.floor((available.height - around + GAP.row) / (NODE_HEIGHT_PX + GAP.row)))
  const capacity = most * rows
  const fitted = (columns: number) => {
    const rowsUsed = Math.ceil(points / columns)
    const even = Math.floor((inside - (columns - 1) * GAP.column) / (columns + 1))
    const nodeWidth = Math.min(NODE_WIDTH_PX.max, Math.max(NODE_WIDTH_PX.min, even))
    const grid = rowsUsed * (NODE_HEIGHT_PX + GAP.row) - GAP.row
    const height = around + Math.max(grid, leftBottom - GAP.title - FRAME_PAD_PX)
    const width = nodeWidth + GAP.trunk + 2 * FRAME_PAD_PX + columns * (nodeWidth + GAP.column) - GAP.column
    const fill = Math.min(available.width / width, available.height / height)
    const scale = Math.min(SCALE.fitMax, fill)
    return {
      columns,
      nodeWidth,
      fill,
      rowsUsed,
      free: { x: available.width / scale - width, y: available.height / scale - height },
    }
  }
  if (points > CROWD_ABOVE) {
    const { nodeWidth } = fitted(most)
    const map = measureMap(points, most * (nodeWidth + GAP.column) - GAP.column)
    const left = available.height - around - map.height - GAP.section
    const above = Math.max(CROWD_ROWS_MIN, Math.floor((left + GAP.row) / (NODE_HEIGHT_PX + GAP.row)))
    return { columns: most, nodeWidth, capacity: most * above, gap: GAP }
  }
  if (points > capacity) return { ...fitted(most), capacity, gap: GAP }
  const choices = Array.from({ length: most }, (_, i) => fitted(i + 1)).filter(({ rowsUsed }) => rowsUsed <= rows)
  const best = choices.reduce((a, b) => (b.fill > a.fill ? b : a))
  return { columns: best.columns, nodeWidth: best.nodeWidth, capacity, gap: widen(best) }
}

export const columnsIn = (width: number, nodeWidth: number, gap: number): number =>
  Math.floor((width + gap) / (nodeWidth + gap))

/** The trunk takes most of the free width, because it carries the numbers. */
function widen({ columns, rowsUsed, free }: { columns: number; rowsUsed: number; free: Point }): Grid['gap'] {
  const trunk = grow(GAP.trunk, GAP_MAX.trunk, free.x * TRUNK_SHARE)
  const column = grow(GAP.column, GAP_MAX.column, (free.x - (trunk - GAP.trunk)) / Math.max(1, columns - 1))
  return { trunk, column, row: grow(GAP.row, GAP_MAX.row, free.y / Math.max(1, rowsUsed - 1)) }
}

const grow = (gap: number, most: number, by: number): number => Math.floor(Math.min(most, gap + Math.max(0, by)))
