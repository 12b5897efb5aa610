import { useMemo } from 'react'
import { evaluateNetwork } from '#domain/health/network.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { lazily } from '#lib/lazily.ts'
import { groupLinks, sortLinks, sortMembers } from '../network-order.ts'
import { isMatch } from '../plan/picker/member-plan.ts'
import type { Link, Member, Projection } from '../live-network.ts'
import { createMatcher, stateChips, type StateFilter } from './state-filter.ts'

/* Members and links of the network page: evaluated, sorted, and filtered by search and chip. */

/** End of a link with its label: the area of a POP node; a member that is not listed yet has only its serial number. */
export type NamedMember = Pick<Member, 'router_name' | 'note'>

interface MemberFilter {
  readonly search: string
  readonly filter: StateFilter | ''
  /** No device carries the network any more. */
  readonly isWithdrawn: boolean
}

/**
 * Header, chips and views all take their data from here, so that none contradicts another. Lists are sorted only when
 * a view asks for them: sorting thousands of names takes long, and the drawing has its own order.
 */
export function useFilteredMembers(
  { members, links }: Pick<Projection, 'members' | 'links'>,
  { search, filter, isWithdrawn }: MemberFilter,
) {
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
    const evaluation = evaluateNetwork(members, links, { isWithdrawn })
    const { health, affected } = evaluation
    const sortedLinks = lazily(() => sortLinks(links, toName))
    return {
      evaluation,
      health,
      affected,
      toName,
      toNamed,
      toMember: (routerName: string) => byName.get(routerName),
      chips: stateChips(evaluation),
      sortedMembers: lazily(() => sortMembers(members, affected.abnormal)),
      sortedLinks,
      linksByMember: lazily(() => groupLinks(sortedLinks())),
    }
  }, [members, links, isWithdrawn])
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
