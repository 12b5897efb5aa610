import { useMemo } from 'react'
import { POP_MODE } from '#contract/network/limits.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { contractOf, withSuspension } from '#domain/health/suspension.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { lazily } from '#lib/lazily.ts'
import { groupLinks, sortLinks, sortMembers } from '../network-order.ts'
import { isMatch } from '../plan/picker/member-plan.ts'
import type { Link, Member, NetworkInfo, Projection } from '../live-network.ts'
import { createMatcher, stateChips, type StateFilter } from './state-filter.ts'

/* Members and links of the network page: evaluated, sorted, and filtered by search and chip. */

/** End of a link with its label: the area of a POP node; a member that is not listed yet has only its serial number. */
export type NamedMember = Pick<Member, 'router_name' | 'note'>

interface MemberFilter {
  readonly search: string
  readonly filter: StateFilter | ''
  /** Contract and mode, which the health follows, too. */
  readonly network: Pick<NetworkInfo, 'network_status' | 'suspended_time' | 'withdrawn' | 'mode'>
}

/**
 * Header, chips and views all take their data from here, so that none contradicts another. Lists are sorted only when
 * a view asks for them: sorting thousands of names takes long, and the drawing has its own order.
 */
export function useFilteredMembers(
  { members, links }: Pick<Projection, 'members' | 'links'>,
  { search, filter, network }: MemberFilter,
) {
  const { network_status, suspended_time: suspendedAt, withdrawn, mode } = network
  const evaluated = useMemo(() => {
    const byName = new Map(members.map((member) => [member.router_name, member]))
    const areas = new Map(
      links.flatMap(({ kind, center_router_name: node, center_router_name_note: area }) =>
        kind === 'pop' ? [[node, area] as const] : [],
      ),
    )
    const toNamed = (routerName: string): NamedMember =>
      byName.get(routerName) ?? { router_name: routerName, note: areas.get(routerName) ?? '' }
    const toName = (routerName: string) => memberLabel(toNamed(routerName))
    const contract = contractOf({ status: network_status, suspendedAt, withdrawn })
    const evaluation = evaluateNetwork(members, links, { ...contract, isPopFirst: mode === POP_MODE.popFirst })
    const { affected } = evaluation
    const sortedLinks = lazily(() => sortLinks(links, toName))
    return {
      evaluation,
      health: withSuspension(evaluation.health, contract),
      affected,
      toName,
      toNamed,
      toMember: (routerName: string) => byName.get(routerName),
      chips: stateChips(evaluation),
      sortedMembers: lazily(() => sortMembers(members, affected.abnormal)),
      sortedLinks,
      linksByMember: lazily(() => groupLinks(sortedLinks())),
    }
  }, [members, links, network_status, suspendedAt, withdrawn, mode])
  const { evaluation, sortedMembers, sortedLinks, toNamed } = evaluated
  const matcher = useMemo(
    () => createMatcher(filter, { members, links }, evaluation),
    [filter, members, links, evaluation],
  )
  const shownMembers = useMemo(
    () =>
      lazily(() => sortedMembers().filter((member) => isMatch(member, search) && (matcher?.member(member) ?? true))),
    [sortedMembers, search, matcher],
  )
  // A search finds a link by either of its ends.
  const shownLinks = useMemo(() => {
    const isFound = ({ router_name, center_router_name }: Link) =>
      [router_name, center_router_name].some((end) => isMatch(toNamed(end), search))
    return lazily(() => sortedLinks().filter((link) => isFound(link) && (matcher?.link(link) ?? true)))
  }, [sortedLinks, search, matcher, toNamed])
  const dimmed = useMemo(() => (matcher === null ? null : (member: Member) => !matcher.member(member)), [matcher])
  return { ...evaluated, shownMembers, shownLinks, dimmed }
}
