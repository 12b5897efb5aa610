import { cellAt, MAP_CELL_PX } from '../layout/density-map.ts'
import type { DensityMap } from '../layout/topology-types.ts'
import { lookPath, MAP_LOOKS, type MapLook } from '../map-look.ts'
import type { Part } from './cell-parts.ts'

/* SVG elements of the density map: one path for all cells of a look, so that panning moves a handful of elements. */

export interface MapStyle {
  readonly look: (name: string) => MapLook
  readonly isDimmed: (name: string) => boolean
  /** The member is selected, or the current match of a search. */
  readonly isMarked: (name: string) => boolean
}

export function mapParts(map: DensityMap, { look, isDimmed, isMarked }: MapStyle): readonly Part[] {
  const paths = new Map<string, string>()
  let marks = ''
  for (const [index, name] of map.names.entries()) {
    const { x, y } = cellAt(map, index)
    const of = look(name)
    const className = `nl-map nl-map-${of}${isDimmed(name) ? ' nl-map-dimmed' : ''}`
    paths.set(className, (paths.get(className) ?? '') + lookPath(of, x, y))
    if (isMarked(name)) marks += `M${x} ${y}h${MAP_CELL_PX}v${MAP_CELL_PX}h${-MAP_CELL_PX}z`
  }
  const ordered = MAP_LOOKS.flatMap((of) => [`nl-map nl-map-${of} nl-map-dimmed`, `nl-map nl-map-${of}`])
  return [
    { tag: 'rect', className: 'nl-map-hit', attributes: { width: map.width, height: map.height } },
    ...ordered.flatMap((className): Part[] => {
      const d = paths.get(className)
      return d === undefined ? [] : [{ tag: 'path', className, attributes: { d } }]
    }),
    ...(marks === '' ? [] : [{ tag: 'path', className: 'nl-map-mark', attributes: { d: marks } } as const]),
  ]
}
