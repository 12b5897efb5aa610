import { useMemo } from 'react'
import { judgeNetwork } from '../../../worker/domain/health/network.ts'
import { memberLabel } from '../../lib/member-label.ts'
import { groupLinks, sortLinks, sortMembers } from './network-order.ts'
import { isMatch } from './picker.ts'
import type { Link, Member, Projection } from './projection.ts'
import { createMatcher, stateChips, type StateFilter } from './state-filter.ts'

/** An end of a link; one that the network does not list yet has its serial alone. */
export type NamedMember = Pick<Member, 'router_name' | 'note'>

interface Narrowed {
  readonly search: string
  readonly filter: StateFilter | ''
}

/** What header, chips and views show, all of one projection: by the rules of the lists, so that none contradicts another. */
export function useShown({ members, links }: Pick<Projection, 'members' | 'links'>, { search, filter }: Narrowed) {
  const judged = useMemo(() => {
    const byName = new Map(members.map((member) => [member.router_name, member]))
    const toNamed = (routerName: string): NamedMember => byName.get(routerName) ?? { router_name: routerName, note: '' }
    const toName = (routerName: string) => memberLabel(toNamed(routerName))
    const { health, affected } = judgeNetwork(members, links)
    const sorted = sortLinks(links, toName)
    return {
      health,
      affected,
      toName,
      toNamed,
      toMember: (routerName: string) => byName.get(routerName),
      chips: stateChips(health, affected),
      sortedMembers: sortMembers(members, affected.abnormal),
      sortedLinks: sorted,
      linksByMember: groupLinks(sorted),
    }
  }, [members, links])
  const { affected, sortedMembers, sortedLinks, toNamed } = judged
  const matcher = useMemo(() => createMatcher(filter, { members, links }, affected), [filter, members, links, affected])
  const shownMembers = useMemo(
    () => sortedMembers.filter((member) => isMatch(member, search) && (matcher?.member(member) ?? true)),
    [sortedMembers, search, matcher],
  )
  // A link is found by either of its ends.
  const shownLinks = useMemo(() => {
    const isFound = ({ router_name, center_router_name }: Link) =>
      [router_name, center_router_name].some((end) => isMatch(toNamed(end), search))
    return sortedLinks.filter((link) => isFound(link) && (matcher?.link(link) ?? true))
  }, [sortedLinks, search, matcher, toNamed])
  const dimmed = useMemo(() => (matcher === null ? null : (member: Member) => !matcher.member(member)), [matcher])
  return { ...judged, shownMembers, shownLinks, dimmed }
}
