import { LINK_STATES, type LinkState, type LinkView } from '#contract/kernel/protocol.ts'
import { LAST_KNOWN_WORD, LINK_WORD, NETWORK_HEALTH_WORD, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import { countLinks } from '#domain/health/link.ts'
import { bundleState, groupByCenter, markPath, PORT_PX, portMark, type PortMark } from './layout/ports.ts'
import type { DrawingData } from './drawing-data.ts'
import type { Topology } from './layout/topology-types.ts'
import { lookPath, MAP_LOOKS, MAP_WORD, mapLook, type MapLook } from './map-look.ts'
import styles from './topology.module.css'

/* Legend of the topology: the states in the drawing, each with its line and its mark. */

export interface LegendItem {
  readonly word: string
  /** Class of the line before the mark; null without one. */
  readonly line: `nl-edge-${LinkState | 'mixed'}` | null
  readonly mark: PortMark | null
  /** The entry is the ring of members with a single centre (单中心). */
  readonly isRing: boolean
  /** Cell of the density map; null for lines and marks. */
  readonly cell: MapLook | null
}

interface LegendFacts {
  /** Number of nodes with the ring of 单中心 (single centre). */
  readonly ringed: number
  /** Looks of the cells in the density map. */
  readonly looks?: readonly MapLook[]
}

export function legendFacts({ map }: Pick<Topology, 'map'>, painted: DrawingData): LegendFacts {
  const looks = new Set(map?.names.map((name) => mapLook(painted.membersByName.get(name), painted)))
  return { ringed: painted.ringed.size, looks: MAP_LOOKS.filter((look) => looks.has(look)) }
}

/** Entries of the states in the drawing; states with the same shape share an entry. */
export function legendItems(links: readonly LinkView[], { ringed, looks = [] }: LegendFacts): readonly LegendItem[] {
  const count = countLinks(links)
  const idle = LINK_STATES.filter((state) => count[state] > 0 && portMark(state) === 'idle')
  const isMixed = [...groupByCenter(links).values()].some((own) => bundleState(own) === 'mixed')
  const known = LINK_STATES.filter((state) => count[state] > 0 && portMark(state) !== 'idle')
  return [
    ...known.map((state) => item(`链路${LINK_WORD[state]}`, state)),
    ...(isMixed ? [{ ...item(NETWORK_HEALTH_WORD.partial, 'mixed'), mark: null }] : []),
    ...(idle[0] === undefined ? [] : [item(`链路${idle.map((state) => LINK_WORD[state]).join('、')}`, idle[0])]),
    ...(ringed > 0 && looks.length === 0 ? [{ ...NO_SAMPLE, word: SINGLE_CENTER_WORD, isRing: true }] : []),
    ...looks.map((look) => ({ ...NO_SAMPLE, word: MAP_WORD[look], cell: look })),
  ]
}

const NO_SAMPLE = { line: null, mark: null, isRing: false, cell: null } as const

const item = (word: string, state: LinkState | 'mixed'): LegendItem => ({
  ...NO_SAMPLE,
  word,
  line: `nl-edge-${state}`,
  mark: portMark(state),
})

export const SAMPLE_PX = { width: 34, height: 14 } as const
/** Paths of a sample: line, mark at its end, ring of a node. */
export const SAMPLE = {
  line: 'M1 7H25',
  lineOnly: 'M1 7H33',
  mark: { x: 28, y: 7 },
  cell: { x: 11, y: 1 },
  ring: 'M3 2H31V12H3Z',
} as const

interface LegendProps {
  readonly items: readonly LegendItem[]
  readonly isStale: boolean
  /** The legend stands below the drawing, not over its corner. */
  readonly isInline?: boolean
}

export function Legend({ items, isStale, isInline = false }: LegendProps) {
  if (items.length === 0) return null
  return (
    <ul className={[styles.legend, isInline && styles.inline].filter(Boolean).join(' ')} aria-label="图例">
      {items.map((item) => (
        <li key={item.word}>
          <Sample item={item} />
          {item.word}
        </li>
      ))}
      {isStale && <li>{LAST_KNOWN_WORD}</li>}
    </ul>
  )
}

function Sample({ item: { line, mark, isRing, cell } }: { readonly item: LegendItem }) {
  const { x, y } = SAMPLE.mark
  return (
    <svg {...SAMPLE_PX} aria-hidden="true">
      {line !== null && <path d={mark === null ? SAMPLE.lineOnly : SAMPLE.line} className={`nl-edge ${line}`} />}
      {mark !== null && <path d={markPath(mark, x, y, PORT_PX.radius)} className={`nl-port nl-port-${mark}`} />}
      {cell !== null && <path d={lookPath(cell, SAMPLE.cell.x, SAMPLE.cell.y)} className={`nl-map nl-map-${cell}`} />}
      {isRing && <path d={SAMPLE.ring} className="nl-node nl-node-online nl-node-single" />}
    </svg>
  )
}
