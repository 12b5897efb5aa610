import { LINK_STATES, type LinkView } from '#contract/kernel/protocol.ts'
import { LINK_WORD } from '#contract/kernel/states.ts'
import { countLinks, FAULTY_LINKS } from '#domain/health/link.ts'
import { rttText } from '#lib/format/format-unit.ts'
import type { TopologyEdge, Trunk } from '../layout/edges.ts'
import { bundleState } from '../layout/ports.ts'
import { type DrawingData, isPointAway } from '../drawing-data.ts'
import { openedText } from '../node-style.ts'

/* Styles of lines and trunks of the topology drawing: class, width, label and tooltip by the states of their links. */

export type LinksById = ReadonlyMap<string, LinkView>

const listLinks = ({ links }: Pick<TopologyEdge, 'links'>, byId: LinksById): readonly LinkView[] =>
  links.flatMap((id) => byId.get(id) ?? [])

interface LineFilter {
  readonly painted: Pick<DrawingData, 'membersByName' | 'affected'>
  /** Ids of hovered and selected nodes and lines. */
  readonly focused: ReadonlySet<string>
  /** Above `CROWD_ABOVE` points, ports alone show faults. */
  readonly isCrowd: boolean
}

/**
 * The edge is drawn as a single line: it is abnormal, or leads to the hovered or the selected node. No line leads to a point
 * that is away, and to a suspected end none but where it is pointed at: its node and the ports say it.
 */
export function isDrawn(edge: TopologyEdge, byId: LinksById, { painted, focused, isCrowd }: LineFilter): boolean {
  if (isPointAway(painted, edge.node) || isPointAway(painted, edge.center)) return false
  if (edge.isPair || focused.has(edge.id) || focused.has(edge.node) || focused.has(edge.center)) return true
  if (isCrowd || [edge.node, edge.center].some((name) => painted.affected.suspected.has(name))) return false
  return listLinks(edge, byId).some(({ state }) => FAULTY_LINKS.has(state))
}

interface LineFlags {
  readonly isDimmed: boolean
  readonly isFocused: boolean
  /** The line is the trunk of an absent centre, which is the cause of all its unknown links. */
  readonly isCause?: boolean
}

export function edgeClass(edge: Pick<TopologyEdge, 'links'>, byId: LinksById, flags: LineFlags): string {
  const names = ['nl-edge', `nl-edge-${bundleState(listLinks(edge, byId)) ?? 'unknown'}`]
  if (flags.isDimmed) names.push('nl-faded')
  if (flags.isCause === true) names.push('nl-edge-cause')
  if (flags.isFocused) names.push('nl-edge-focused')
  return names.join(' ')
}

export type TrunkStyle = ReturnType<typeof trunkStyle>

const TRUNK_PX = { min: 2, max: 7 } as const

/** Label (31/33 links up, of those ever open) and width of a trunk; both show the same share. Throughput stands below it. */
export function trunkStyle(trunk: Trunk, byId: LinksById, flags: LineFlags, throughput: readonly string[] = []) {
  const links = listLinks(trunk, byId)
  const { up, never } = countLinks(links)
  const share = up / Math.max(1, links.length - never)
  return {
    className: edgeClass(trunk, byId, flags),
    widthPx: Math.round((TRUNK_PX.min + share * (TRUNK_PX.max - TRUNK_PX.min)) * 10) / 10,
    label: openedText(links),
    throughput,
  }
}

export function edgeTooltip(edge: Pick<TopologyEdge, 'links'>, byId: LinksById): string {
  const links = listLinks(edge, byId)
  const [only] = links
  if (links.length === 1 && only !== undefined) return linkTooltip(only)
  const count = countLinks(links)
  return LINK_STATES.filter((state) => count[state] > 0)
    .map((state) => `${LINK_WORD[state]} ${count[state]}`)
    .join(' · ')
}

function linkTooltip(link: LinkView): string {
  const rtt = link.rtt_ms === null ? '' : ` · ${rttText(link.rtt_ms)}`
  return `${LINK_WORD[link.state]}${link.state === 'up' ? rtt : ''}${link.reason === '' ? '' : ` · ${link.reason}`}`
}
