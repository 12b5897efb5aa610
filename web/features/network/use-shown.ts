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
  /** No device carries the network any more. */
  readonly isWithdrawn: boolean
}

/** What header, chips and views show, all of one projection: by the rules of the lists, so that none contradicts another. */
export function useShown(
  { members, links }: Pick<Projection, 'members' | 'links'>,
  { search, filter, isWithdrawn }: Narrowed,
) {
  const judged = useMemo(() => {
    const byName = new Map(members.map((member) => [member.router_name, member]))
    const toName = (routerName: string) => {
      const member = byName.get(routerName)
      return member === undefined ? routerName : memberLabel(member)
    }
    const judgement = judgeNetwork(members, links, { isWithdrawn })
    const { health, affected } = judgement
    const sorted = sortLinks(links, toName)
    return {
      judgement,
      health,
      affected,
      toName,
      toMember: (routerName: string) => byName.get(routerName),
      chips: stateChips(judgement),
      sortedMembers: sortMembers(members, affected.abnormal),
      sortedLinks: sorted,
      linksByMember: groupLinks(sorted),
    }
  }, [members, links, isWithdrawn])
  const { judgement, sortedMembers, sortedLinks, toMember } = judged
  const matcher = useMemo(
    () => createMatcher(filter, { members, links }, judgement),
    [filter, members, links, judgement],
  )
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
