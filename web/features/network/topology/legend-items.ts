import { type LinkState, LINK_STATES, type LinkView } from '#contract/kernel/protocol.ts'
import { LINK_WORD, NETWORK_HEALTH_WORD, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import { countLinks } from '#domain/health/link.ts'
import { bundleState, groupByCenter, portMark, type PortMark } from './layout/ports.ts'

export interface LegendItem {
  readonly word: string
  /** Class of the line before the mark; null without one. */
  readonly line: `nl-edge-${LinkState | 'mixed'}` | null
  readonly mark: PortMark | null
  /** The ring of 单中心. */
  readonly isRing: boolean
}

/** Only the states that are there. Those of one shape share an entry. */
export function legendItems(links: readonly LinkView[], singles: number): readonly LegendItem[] {
  const count = countLinks(links)
  const idle = LINK_STATES.filter((state) => count[state] > 0 && portMark(state) === 'idle')
  const isMixed = [...groupByCenter(links).values()].some((own) => bundleState(own) === 'mixed')
  const known = LINK_STATES.filter((state) => count[state] > 0 && portMark(state) !== 'idle')
  return [
    ...known.map((state) => item(`链路${LINK_WORD[state]}`, state)),
    ...(isMixed ? [{ ...item(NETWORK_HEALTH_WORD.partial, 'mixed'), mark: null }] : []),
    ...(idle[0] === undefined ? [] : [item(`链路${idle.map((state) => LINK_WORD[state]).join('、')}`, idle[0])]),
    ...(singles > 0 ? [{ word: SINGLE_CENTER_WORD, line: null, mark: null, isRing: true }] : []),
  ]
}

const item = (word: string, state: LinkState | 'mixed'): LegendItem => ({
  word,
  line: `nl-edge-${state}`,
  mark: portMark(state),
  isRing: false,
})

export const SAMPLE_PX = { width: 34, height: 14 } as const
/** Paths of a sample: line, mark at its end, ring of a node. */
export const SAMPLE = { line: 'M1 7H25', lineOnly: 'M1 7H33', mark: { x: 28, y: 7 }, ring: 'M3 2H31V12H3Z' } as const
