/** Pixels at scale 1, where texts have their 12 and 13 px. */
export const NODE_HEIGHT_PX = 40
export const NODE_WIDTH_PX = { min: 156, max: 208 } as const
export const GAP = { row: 14, column: 16, center: 24, manyCenters: 14, trunk: 80, title: 28, section: 16 } as const
export const FRAME_PAD_PX = 14
/** At `min` the texts are as small as they may be: neither a fit nor a person goes below, what is larger scrolls. */
export const SCALE = { min: 1, max: 2, fitMax: 1.25 } as const
/** Between the drawing and the edge of the window. */
export const PADDING_PX = 16
/** Fewer are never folded, however small the window. */
const ROWS_MIN = 4
/** Above it points are drawn as ranges of names. */
export const GROUP_ABOVE = 200

export interface Viewport {
  readonly width: number
  readonly height: number
}

export interface Grid {
  readonly columns: number
  readonly nodeWidth: number
  /** Nodes that are in sight at scale 1 without scrolling. */
  readonly capacity: number
}

/** Columns as wide as the window allows, no more of them than the points need. */
export function gridFor(viewport: Viewport, points: number, hasSoftware: boolean): Grid {
  const width = viewport.width - 2 * PADDING_PX - GAP.trunk - 2 * FRAME_PAD_PX
  const most = Math.max(1, Math.floor((width - NODE_WIDTH_PX.min + GAP.column) / (NODE_WIDTH_PX.min + GAP.column)))
  const software = hasSoftware ? GAP.section + GAP.title + NODE_HEIGHT_PX : 0
  const height = viewport.height - 2 * PADDING_PX - GAP.title - 2 * FRAME_PAD_PX - software
  const rows = Math.max(ROWS_MIN, Math.floor((height + GAP.row) / (NODE_HEIGHT_PX + GAP.row)))
  const wanted = points > GROUP_ABOVE ? most : Math.max(Math.ceil(points / rows), Math.ceil(Math.sqrt(points / 3)))
  const columns = Math.min(most, Math.max(1, wanted))
  const nodeWidth = Math.floor((width - (columns - 1) * GAP.column) / (columns + 1))
  return {
    columns,
    nodeWidth: Math.min(NODE_WIDTH_PX.max, Math.max(NODE_WIDTH_PX.min, nodeWidth)),
    capacity: most * rows,
  }
}
