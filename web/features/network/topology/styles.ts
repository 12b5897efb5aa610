import { LINK_STATES, type LinkState, type LinkView, type PresenceState } from '../../../../worker/contract/protocol.ts'
import { LINK_WORD, PRESENCE_WORD } from '../../../../worker/contract/states.ts'
import { countStates } from '../../../../worker/domain/health/member.ts'
import type { Member } from '../projection.ts'
import { NODE_SIZE, type TopologyNode, type TopologyEdge } from './layout.ts'

/** Style of a node in its state. Colours are classes, so that a theme change redraws nothing. */
export interface NodeStyle {
  readonly className: string
  readonly outline: string
  readonly mark: string
  readonly title: string
  readonly sub: string
}

const { width: W, height: H } = NODE_SIZE
const ROUND = `M6 0H${W - 6}A6 6 0 0 1 ${W} 6V${H - 6}A6 6 0 0 1 ${W - 6} ${H}H6A6 6 0 0 1 0 ${H - 6}V6A6 6 0 0 1 6 0Z`
const CUT = `M12 0H${W - 12}L${W} 12V${H - 12}L${W - 12} ${H}H12L0 ${H - 12}V12Z`
const STACK = `${ROUND}M6 ${H}V${H + 4}H${W - 6}V${H}M12 ${H + 4}V${H + 8}H${W - 12}V${H + 4}`

const CLOUD = 'M3.5 9.5a2.5 2.5 0 0 1 0-5a3 3 0 0 1 5.8 .8A2.2 2.2 0 0 1 9 9.5Z'

/** State marks, 12 × 12, drawn as lines; the same shapes as the status badges of the tables. */
const MARK: Readonly<Record<PresenceState | 'unknown', string>> = {
  online: 'M6 1a5 5 0 1 1 0 10a5 5 0 1 1 0-10Z',
  reconnecting: 'M6 2a4 4 0 0 1 0 8zM6 2a4 4 0 0 0 0 8',
  offline: 'M6 2a4 4 0 1 1 0 8a4 4 0 1 1 0-8Z',
  flapping: 'M6 1.5L10.5 6L6 10.5L1.5 6z',
  never: 'M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9Z',
  disabled: 'M2 6h8',
  unknown: 'M3.8 4.2a2.2 2.2 0 1 1 3.3 1.9C6.4 6.5 6 6.9 6 7.6M6 10.4v.1',
}

export function nodeStyle(node: TopologyNode, membersByName: ReadonlyMap<string, Member>, isStale: boolean): NodeStyle {
  if (node.kind === 'pop')
    return { className: 'nl-node-plain', outline: ROUND, mark: CLOUD, title: clip(node.label), sub: 'POP资源' }
  const members = node.members.flatMap((name) => membersByName.get(name) ?? [])
  if (node.kind === 'group' || node.kind === 'collapsedGroup') return collapsedStyle(node, members, isStale)
  const state = members[0]?.presence.state ?? 'never'
  const className = isStale ? 'nl-node-stale' : `nl-node-${state}`
  return {
    className,
    outline: state === 'flapping' ? CUT : ROUND,
    mark: isStale ? MARK.unknown : MARK[state],
    title: clip(node.label),
    sub: clip([PRESENCE_WORD[state], ...(members[0]?.vpn_ip.slice(0, 1) ?? [])].join(' · '), 12),
  }
}

function collapsedStyle(node: TopologyNode, members: readonly Member[], isStale: boolean): NodeStyle {
  const count = countStates(members)
  // Software members dial on demand: offline is normal. Who never came is no fault.
  const isPlain = node.kind === 'collapsedGroup' || count.never === members.length
  const worst = isPlain ? 'plain' : count.offline + count.flapping > 0 ? 'partial' : 'online'
  const words = [`${members.length} 个`, `${PRESENCE_WORD.online} ${count.online}`]
  return {
    className: `nl-node-collapsed ${isStale ? 'nl-node-stale' : `nl-node-${worst}`}`,
    outline: node.isOpen ? ROUND : STACK,
    mark: node.isOpen ? 'M2.5 4.5L6 8L9.5 4.5' : 'M4.5 2.5L8 6L4.5 9.5',
    title: clip(node.label),
    sub: words.join(' · '),
  }
}

const WORST: readonly LinkState[] = ['down', 'one_sided', 'unknown', 'up', 'never']

/** State of a bundle: `mixed` while some links are up (one link that is down must not turn fifty red), else the worst. */
export function edgeState(edge: TopologyEdge, linksById: ReadonlyMap<string, LinkView>): LinkState | 'mixed' | null {
  if (edge.links.length === 0) return null
  const states = new Set(edge.links.map((id) => linksById.get(id)?.state ?? 'unknown'))
  const isUp = states.has('up')
  if (isUp && [...states].some((state) => state !== 'up' && state !== 'never')) return 'mixed'
  return WORST.find((state) => states.has(state)) ?? 'unknown'
}

export function edgeClass(edge: TopologyEdge, linksById: ReadonlyMap<string, LinkView>, isStale: boolean): string {
  const state = edgeState(edge, linksById)
  if (state === null) return 'nl-edge nl-edge-plain'
  return `nl-edge nl-edge-${isStale ? 'unknown' : state}`
}

/** Tooltip of an edge. */
export function edgeTooltip(edge: TopologyEdge, linksById: ReadonlyMap<string, LinkView>): string {
  const links = edge.links.flatMap((id) => linksById.get(id) ?? [])
  const [only] = links
  if (only === undefined) return '成员归属，不表示链路状态'
  if (links.length === 1) return linkTooltip(only)
  return LINK_STATES.map((state) => [state, links.filter((link) => link.state === state).length] as const)
    .filter(([, amount]) => amount > 0)
    .map(([state, amount]) => `${LINK_WORD[state]} ${amount}`)
    .join(' · ')
}

export function linkTooltip(link: LinkView): string {
  const rtt = link.rtt_ms === null ? '' : ` · ${link.rtt_ms.toFixed(1)} ms`
  return `${LINK_WORD[link.state]}${link.state === 'up' ? rtt : ''}${link.reason === '' ? '' : ` · ${link.reason}`}`
}

/** Cuts a label to about `max` full-width characters: a Latin letter counts a little over half. */
export function clip(text: string, max = 10.5): string {
  let quota = max
  let cut = ''
  for (const character of text) {
    quota -= /[\u2e80-\uffef]/.test(character) ? 1 : 0.58
    if (quota < 0) return `${cut}…`
    cut += character
  }
  return text
}
