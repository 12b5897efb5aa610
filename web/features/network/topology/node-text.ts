import type { LinkView } from '#contract/kernel/protocol.ts'
import { LAST_KNOWN_WORD, LINK_WORD, PRESENCE_WORD, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import { countLinks } from '#domain/health/link.ts'
import { MEMBER_ROLE_NAME, membersText, routerTypeName } from '../network-text.ts'
import { countStates } from '#domain/health/member.ts'
import type { Member } from '../projection.ts'
import { isCollapsible, type TopologyCell } from './layout/model.ts'
import type { Painted } from './node-style.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** Facts about a node, for its hover card and for screen readers. */
export function nodeFacts(node: TopologyCell, painted: Painted): readonly string[] {
  const { membersByName, affected } = painted
  if (node.kind === 'pop')
    return [popText(painted.linksByCenter.get(node.id)), ...(painted.isStale ? [LAST_KNOWN_WORD] : [])]
  const members = node.members.flatMap((name) => membersByName.get(name) ?? [])
  const stale = painted.isStale ? [LAST_KNOWN_WORD] : []
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
    ...(affected.singleCenter.has(node.id) ? [SINGLE_CENTER_WORD] : []),
    ...pathFacts(member, painted),
    ...stale,
  ].filter((fact) => fact !== '')
}

/** Of a POP node, or of the resource while no member dials a node. */
export const popText = (links: readonly LinkView[] = []): string =>
  links.length === 0 ? 'POP资源' : `POP节点 链路 ${openedText(links)}`

/** A way to each centre, by its name. */
function pathFacts(member: Member, { centers, linksByMember, membersByName }: Painted): readonly string[] {
  const own = linksByMember.get(member.router_name)
  const links = centers.flatMap((center) => own?.get(center) ?? [])
  if (links.length === 0) return member.vpn_ip
  const nameOf = (center: string) => membersByName.get(center)?.note || center
  return links.map((link, i) => {
    const address = 'vpn_ip' in link && link.vpn_ip !== '' ? link.vpn_ip : member.vpn_ip[i]
    return [`${nameOf(link.center_router_name)} ${LINK_WORD[link.state]}`, address ?? ''].join(' ').trim()
  })
}

/** Name of a node for a screen reader. */
export const nodeName = (node: TopologyCell, painted: Painted): string =>
  [node.label, ...nodeFacts(node, painted)].join('，')

/** 中心点 2/2 …: 33/33 of the links of one centre that were ever open. */
export function openedText(links: readonly Pick<LinkView, 'state'>[]): string {
  const { up, never } = countLinks(links)
  const opened = links.length - never
  return opened === 0 ? LINK_WORD.never : `${up}/${opened}`
}
