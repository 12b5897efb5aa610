import type { DensityMap, Point, Rect, Size } from './topology-types.ts'

/* Geometry of the density map: cells by rows, in the order of the names. */

/** Width and height of a cell. */
export const MAP_CELL_PX = 12

export function measureMap(count: number, width: number): Size & { readonly columns: number } {
  const columns = Math.max(1, Math.floor(width / MAP_CELL_PX))
  return { columns, width: columns * MAP_CELL_PX, height: Math.ceil(count / columns) * MAP_CELL_PX }
}

/** Name of the member at a place of the drawing; null beside the cells. */
export function memberAt({ x, y, columns, names }: DensityMap, at: Point): string | null {
  const column = Math.floor((at.x - x) / MAP_CELL_PX)
  const row = Math.floor((at.y - y) / MAP_CELL_PX)
  return column < 0 || column >= columns || row < 0 ? null : (names[row * columns + column] ?? null)
}

/** Place of the cell of an index in the map's own coordinates. */
export const cellAt = ({ columns }: Pick<DensityMap, 'columns'>, index: number): Point => ({
  x: (index % columns) * MAP_CELL_PX,
  y: Math.floor(index / columns) * MAP_CELL_PX,
})

/** Place of a member's cell in the drawing; null if the map does not have it. */
export function rectInMap(map: DensityMap | null, name: string): Rect | null {
  const index = map?.names.indexOf(name) ?? -1
  if (map === null || index < 0) return null
  const { x, y } = cellAt(map, index)
  return { x: map.x + x, y: map.y + y, width: MAP_CELL_PX, height: MAP_CELL_PX }
}
