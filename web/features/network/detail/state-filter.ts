import { LINK_WORD, PRESENCE_WORD, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import { MEMBER_STATES } from '#domain/health/member.ts'
import { linkKey, type NetworkEvaluation } from '#domain/health/network.ts'
import type { Link, Member, Projection } from '../live-network.ts'

/* Filters of the network page (states of members and faults): chips with counts, and the test of each row. */

const FAULTS = ['abnormal', 'single_center', 'link_down', 'link_one_sided'] as const
const FILTERS = [...MEMBER_STATES, ...FAULTS] as const
export type StateFilter = (typeof FILTERS)[number]

const WORD: Readonly<Record<StateFilter, string>> = {
  ...PRESENCE_WORD,
  abnormal: '异常',
  single_center: SINGLE_CENTER_WORD,
  link_down: `链路${LINK_WORD.down}`,
  link_one_sided: `链路${LINK_WORD.one_sided}`,
}

/** An unknown value in the address means no filter. */
export const toStateFilter = (text: string): StateFilter | '' => FILTERS.find((known) => known === text) ?? ''

export const isFault = (filter: string): boolean => FAULTS.some((fault) => fault === filter)

type Evaluated = Pick<NetworkEvaluation, 'health' | 'affected' | 'faultyLinks'>

/** Chips with counts of causes, as on the overview: a link that is down because its member is offline is not counted. */
export function stateChips({ health: { members, single_center }, affected, faultyLinks }: Evaluated) {
  const faults = [...faultyLinks.values()]
  const count: Readonly<Record<StateFilter, number>> = {
    ...members,
    abnormal: affected.abnormal.size,
    single_center,
    link_down: faults.filter((kind) => kind === 'link_down').length,
    link_one_sided: faults.filter((kind) => kind === 'link_one_sided').length,
  }
  return FILTERS.map((value) => ({ value, label: WORD[value], count: count[value] }))
}

interface Matcher {
  readonly member: (member: Member) => boolean
  readonly link: (link: Link) => boolean
}

/** Tests the rows of each view; null passes all. A fault of links also passes the members at their ends. */
export function createMatcher(
  filter: StateFilter | '',
  { members, links }: Pick<Projection, 'members' | 'links'>,
  evaluated: Evaluated,
): Matcher | null {
  const { abnormal, singleCenter } = evaluated.affected
  switch (filter) {
    case '':
      return null
    case 'abnormal':
      return {
        member: ({ router_name }) => abnormal.has(router_name),
        link: (link) => isFaulty(link) || (!isFine(link) && endsOf(link).some((name) => abnormal.has(name))),
      }
    case 'single_center':
      return {
        member: ({ router_name }) => singleCenter.has(router_name),
        link: ({ router_name }) => singleCenter.has(router_name),
      }
    case 'link_down':
    case 'link_one_sided':
      return byLinks(links, (link) => evaluated.faultyLinks.get(linkKey(link)) === filter)
    default: {
      const inState = new Set(members.filter((m) => m.presence.state === filter).map((m) => m.router_name))
      return {
        member: ({ router_name }) => inState.has(router_name),
        link: (link) => endsOf(link).some((name) => inState.has(name)),
      }
    }
  }
}

function byLinks(links: readonly Link[], has: (link: Link) => boolean): Matcher {
  const ends = new Set(links.filter(has).flatMap(endsOf))
  return { member: ({ router_name }) => ends.has(router_name), link: has }
}

const endsOf = ({ router_name, center_router_name }: Link) => [router_name, center_router_name]
const isFaulty = ({ state }: Link) => state === 'down' || state === 'one_sided'
const isFine = ({ state }: Link) => state === 'up' || state === 'never'
