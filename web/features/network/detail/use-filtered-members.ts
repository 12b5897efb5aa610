import { useMemo } from 'react'
import { evaluateNetwork } from '#domain/health/network.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { lazily } from '#lib/lazily.ts'
import { groupLinks, sortLinks, sortMembers } from '../network-order.ts'
import { isMatch } from '../plan/picker/picker.ts'
import type { Link, Member, Projection } from '../projection.ts'
import { createMatcher, stateChips, type StateFilter } from './state-filter.ts'

/** An end of a link: a POP node goes by its area; one that the network does not list yet has its serial alone. */
export type NamedMember = Pick<Member, 'router_name' | 'note'>

interface MemberFilter {
  readonly search: string
  readonly filter: StateFilter | ''
  /** No device carries the network any more. */
  readonly isWithdrawn: boolean
}

/**
 * Data of header, chips and views, all of one projection: by the rules of the lists, so that none contradicts another.
 * Lists are sorted when a view asks for them: thousands of names take longer than the drawing, which sorts its own.
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
  // A link is found by either of its ends.
  const shownLinks = useMemo(() => {
    const isFound = ({ router_name, center_router_name }: Link) =>
      [router_name, center_router_name].some((end) => isMatch(toNamed(end), search))
    return lazily(() => sortedLinks().filter((link) => isFound(link) && (matcher?.link(link) ?? true)))
  }, [sortedLinks, search, matcher, toNamed])
  const dimmed = useMemo(() => (matcher === null ? null : (member: Member) => !matcher.member(member)), [matcher])
  return { ...evaluated, shownMembers, shownLinks, dimmed }
}
