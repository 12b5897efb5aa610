import { useMemo } from 'react'
import { judgeNetwork } from '../../../worker/domain/health/network.ts'
import { memberLabel } from '../../lib/member-label.ts'
import { groupLinks, sortLinks, sortMembers } from './network-order.ts'
import { isMatch } from './picker.ts'
import type { Link, Member, Projection } from './projection.ts'
import { createMatcher, stateChips, type StateFilter } from './state-filter.ts'

interface Narrowed {
  readonly search: string
  readonly filter: StateFilter | ''
}

/** What header, chips and views show, all of one projection: by the rules of the lists, so that none contradicts another. */
export function useShown({ members, links }: Pick<Projection, 'members' | 'links'>, { search, filter }: Narrowed) {
  const judged = useMemo(() => {
    const byName = new Map(members.map((member) => [member.router_name, member]))
    const toName = (routerName: string) => {
      const member = byName.get(routerName)
      return member === undefined ? routerName : memberLabel(member)
    }
    const { health, affected } = judgeNetwork(members, links)
    const sorted = sortLinks(links, toName)
    return {
      health,
      affected,
      toName,
      toMember: (routerName: string) => byName.get(routerName),
      chips: stateChips(health, affected),
      sortedMembers: sortMembers(members, affected.abnormal),
      sortedLinks: sorted,
      linksByMember: groupLinks(sorted),
    }
  }, [members, links])
  const { affected, sortedMembers, sortedLinks, toMember } = judged
  const matcher = useMemo(() => createMatcher(filter, { members, links }, affected), [filter, members, links, affected])
  const shownMembers = useMemo(
    () => sortedMembers.filter((member) => isMatch(member, search) && (matcher?.member(member) ?? true)),
    [sortedMembers, search, matcher],
  )
  const shownLinks = useMemo(() => {
    const isFound = (link: Link) => endsOf(link, toMember).some((end) => isMatch(end, search))
    return sortedLinks.filter((link) => isFound(link) && (matcher?.link(link) ?? true))
  }, [sortedLinks, search, matcher, toMember])
  const dimmed = useMemo(() => (matcher === null ? null : (member: Member) => !matcher.member(member)), [matcher])
  return { ...judged, shownMembers, shownLinks, dimmed }
}

/** A link is found by either of its ends. */
const endsOf = (link: Link, toMember: (name: string) => Member | undefined) =>
  [link.router_name, link.center_router_name].map((name) => toMember(name) ?? { router_name: name, note: '' })
