import type { LinkView, PresenceState } from '#contract/kernel/protocol.ts'
import {
  isOnDemand,
  LAST_KNOWN_WORD,
  LINK_WORD,
  PRESENCE_WORD,
  SINGLE_CENTER_WORD,
  SUSPECTED_WORD,
} from '#contract/kernel/states.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { countLinks, countOpened } from '#domain/health/link.ts'
import { countStates } from '#domain/health/member.ts'
import { linksText } from '#lib/format/links-text.ts'
import { MEMBER_ROLE_NAME } from '#contract/network/limits.ts'
import { membersText, routerTypeName } from '../network-text.ts'
import type { Member } from '../live-network.ts'
import { NODE_HEIGHT_PX } from './layout/grid.ts'
import { isCollapsible, type TopologyCell } from './layout/topology-types.ts'
import { addressText } from './address-text.ts'
import { type DrawingData, isCenterAway } from './drawing-data.ts'
import { NO_PORTS, type PortPaths, portPaths, portStates } from './layout/ports.ts'
import { fitName, fitText, SUB_PX } from './layout/text-fit.ts'

/* Styles and texts of the nodes of the topology: class, texts, ports and mark by state; facts for screen readers. */

const TITLE_PX = 13
/** Left edge of a node's texts, and the free space at its right. */
export const TEXT_X_PX = 26
const TEXT_END_PX = 6

/** Style of a node in its state. Colours are classes, so that a theme change redraws nothing. */
export interface NodeStyle {
  readonly className: string
  readonly outline: string
  readonly mark: string
  readonly title: string
  readonly sub: string
  readonly ports: PortPaths
}

const H = NODE_HEIGHT_PX
const round = (w: number) =>
  `M6 0H${w - 6}A6 6 0 0 1 ${w} 6V${H - 6}A6 6 0 0 1 ${w - 6} ${H}H6A6 6 0 0 1 0 ${H - 6}V6A6 6 0 0 1 6 0Z`
const cut = (w: number) => `M10 0H${w - 10}L${w} 10V${H - 10}L${w - 10} ${H}H10L0 ${H - 10}V10Z`
const stack = (w: number) => `${round(w)}M6 ${H}V${H + 3.5}H${w - 6}V${H}`

const CLOUD = 'M3.5 9.5a2.5 2.5 0 0 1 0-5a3 3 0 0 1 5.8 .8A2.2 2.2 0 0 1 9 9.5Z'
const UNFOLD = 'M4.5 2.5L8 6L4.5 9.5'
const FOLD = 'M2.5 4.5L6 8L9.5 4.5'

/** State marks, 12 × 12, drawn as lines; the same shapes as the status badges of the tables. */
const MARK: Readonly<Record<PresenceState, string>> = {
  online: 'M6 1a5 5 0 1 1 0 10a5 5 0 1 1 0-10Z',
  reconnecting: 'M6 2a4 4 0 0 1 0 8zM6 2a4 4 0 0 0 0 8',
  offline: 'M6 2a4 4 0 1 1 0 8a4 4 0 1 1 0-8Z',
  flapping: 'M6 1.5L10.5 6L6 10.5L1.5 6z',
  unreadable: 'M4 4.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M6 9.4v.6',
  never: 'M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9Z',
  disabled: 'M2 6h8',
}

export function nodeStyle(node: TopologyCell, width: number, painted: DrawingData): NodeStyle {
  if (node.kind === 'pop') return popStyle(node, width, painted)
  return isCollapsible(node) ? collapsedStyle(node, width, painted) : memberStyle(node, width, painted)
}

const widthWithin = (width: number) => width - TEXT_X_PX - TEXT_END_PX

const popStyle = ({ id, label }: TopologyCell, width: number, { linksByCenter }: DrawingData): NodeStyle => ({
  className: 'nl-node-plain',
  outline: round(width),
  mark: CLOUD,
  ports: NO_PORTS,
  title: fitText(label, TITLE_PX, widthWithin(width)),
  sub: fitText(popText(linksByCenter.get(id)), SUB_PX, widthWithin(width)),
})

const collapsedStyle = (node: TopologyCell, width: number, painted: DrawingData): NodeStyle => ({
  className: `nl-node-collapsed ${abnormalIn(node, painted) > 0 ? 'nl-node-partial' : 'nl-node-plain'}`,
  outline: node.isOpen ? round(width) : stack(width),
  mark: node.isOpen ? FOLD : UNFOLD,
  ports: nodePorts(node, painted),
  title: fitText(node.label, TITLE_PX, widthWithin(width)),
  sub: fitText(collapsedText(node, painted), SUB_PX, widthWithin(width)),
})

function memberStyle(node: TopologyCell, width: number, painted: DrawingData): NodeStyle {
  const member = painted.membersByName.get(node.id)
  const state = member?.presence.state ?? 'never'
  const isSuspected = painted.affected.suspected.has(node.id)
  const isAway = state === 'offline' && member !== undefined && isOnDemand(member.router_type)
  const names = [
    isAway ? 'nl-node-away' : isSuspected ? 'nl-node-unreadable' : `nl-node-${state}`,
    painted.ringed.has(node.id) && 'nl-node-single',
    isCenterAway(painted, node.id) && 'nl-node-cause',
  ]
  return {
    className: names.filter((name) => name !== false).join(' '),
    outline: state === 'flapping' ? cut(width) : round(width),
    mark: MARK[isSuspected ? 'unreadable' : state],
    ports: nodePorts(node, painted),
    title: fitName(node.label, TITLE_PX, widthWithin(width)),
    sub: member === undefined ? '' : memberText(member, painted, widthWithin(width)),
  }
}

/** Fault of a member that is online. */
function faultWord(name: string, { affected }: DrawingData): string {
  if (affected.suspected.has(name)) return SUSPECTED_WORD
  return affected.singleCenter.has(name) ? SINGLE_CENTER_WORD : ''
}

/** Centres, software members and folds of them have none. */
const nodePorts = (node: TopologyCell, { paths, linksByMember }: DrawingData): PortPaths =>
  node.kind === 'point' ? portPaths(portStates(node, paths, linksByMember)) : NO_PORTS

/** The word of the state goes before further addresses, and yields to the first one alone. A healthy member has no word. */
function memberText(member: Member, painted: DrawingData, width: number): string {
  const { state } = member.presence
  const word = state === 'online' ? faultWord(member.router_name, painted) : PRESENCE_WORD[state]
  return addressText({ member, word, width }, painted)
}

const abnormalIn = (node: TopologyCell, { affected }: DrawingData): number =>
  node.members.filter((name) => affected.abnormal.has(name)).length

function collapsedText(node: TopologyCell, painted: DrawingData): string {
  if (node.kind === 'fold') return node.isOpen ? '收起' : '展开'
  const abnormal = abnormalIn(node, painted)
  const members = node.members.flatMap((name) => painted.membersByName.get(name) ?? [])
  const count = countStates(members)
  return `${members.length} 个 · ${abnormal > 0 ? `异常 ${abnormal}` : `${PRESENCE_WORD.online} ${count.online}`}`
}

/** Facts about a node, for its hover card and for screen readers. */
export function nodeFacts(node: TopologyCell, painted: DrawingData): readonly string[] {
  const { membersByName } = painted
  const stale = painted.isStale ? [LAST_KNOWN_WORD] : []
  if (node.kind === 'pop') return [popText(painted.linksByCenter.get(node.id)), ...stale]
  const members = node.members.flatMap((name) => membersByName.get(name) ?? [])
  const [member] = members
  if (isCollapsible(node)) return [membersText(countStates(members)), node.isOpen ? '已展开' : '已折叠', ...stale]
  if (member === undefined) return []
  const role =
    member.router_type === ROUTER_TYPE.software
      ? routerTypeName(ROUTER_TYPE.software)
      : MEMBER_ROLE_NAME[member.member_type]
  const { state, reason } = member.presence
  return [
    role,
    `${PRESENCE_WORD[state]}${reason === '' ? '' : `（${reason}）`}`,
    faultWord(node.id, painted),
    ...pathFacts(member, painted),
    ...stale,
  ].filter((fact) => fact !== '')
}

/** Text of a POP node, or of the resource while no member dials a node. */
const popText = (links: readonly LinkView[] = []): string =>
  links.length === 0 ? 'POP资源' : `POP节点 链路 ${openedText(links)}`

/** Name of each centre and POP node that the member dials, with state and address of the link to it. */
function pathFacts(member: Member, { paths, linksByMember, membersByName }: DrawingData): readonly string[] {
  const own = linksByMember.get(member.router_name)
  const links = paths.flat().flatMap((server) => own?.get(server) ?? [])
  if (links.length === 0) return member.vpn_ip
  const nameOf = (link: LinkView) => {
    const { center_router_name: server, kind } = link
    if (kind !== 'pop') return membersByName.get(server)?.note || server
    const area = 'center_router_name_note' in link ? link.center_router_name_note : ''
    return `POP ${area || server}`
  }
  const centers = links.filter(({ kind }) => kind !== 'pop')
  return links.map((link) => {
    const address = 'vpn_ip' in link && link.vpn_ip !== '' ? link.vpn_ip : member.vpn_ip[centers.indexOf(link)]
    return [`${nameOf(link)} ${LINK_WORD[link.state]}`, address ?? ''].join(' ').trim()
  })
}

/** Name of a node for a screen reader. */
export const nodeName = (node: TopologyCell, painted: DrawingData): string =>
  [node.label, ...nodeFacts(node, painted)].join('，')

/** Links of one centre that are up, of those that were ever open, and the unknown ones: 33/33. */
export const openedText = (links: readonly Pick<LinkView, 'state'>[]): string =>
  linksText(countOpened(countLinks(links)))
