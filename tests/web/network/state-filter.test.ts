import { describe, expect, it } from 'vitest'
import { evaluateNetwork } from '#domain/health/network.ts'
import { sortLinks, sortMembers, vpnAddresses } from '#pages/network/network-order.ts'
import { createMatcher, stateChips, type StateFilter, toStateFilter } from '#pages/network/detail/state-filter.ts'
import { link, member } from './member.ts'

const members = [
  member('c1', { role: 'center' }),
  member('c2', { role: 'center' }),
  member('well'),
  member('single'),
  member('away', { state: 'offline' }),
  member('new', { state: 'never' }),
  member('flap', { state: 'flapping' }),
  member('fail', { config: 'failed' }),
]
const links = members.slice(2).flatMap(({ router_name: name, presence }) =>
  ['c1', 'c2'].map((center) => {
    const isDown = name === 'away' || (name === 'single' && center === 'c2')
    return link(name, center, presence.state === 'never' ? 'never' : isDown ? 'down' : 'up')
  }),
)
const evaluated = evaluateNetwork(members, links)
const left = (filter: StateFilter) => {
  const matcher = createMatcher(filter, { members, links }, evaluated)
  return {
    members: members.filter((one) => matcher?.member(one)).map(({ router_name }) => router_name),
    links: links.filter((one) => matcher?.link(one)).map(({ id }) => id),
  }
}

describe('members that a chip leaves', () => {
  it.each<[StateFilter, string[], string[]]>([
    ['offline', ['away'], ['away>c1', 'away>c2']],
    ['never', ['new'], ['new>c1', 'new>c2']],
    ['flapping', ['flap'], ['flap>c1', 'flap>c2']],
    ['abnormal', ['single', 'away', 'flap', 'fail'], ['single>c2', 'away>c1', 'away>c2']],
    ['single_center', ['single'], ['single>c1', 'single>c2']],
    ['link_down', ['c2', 'single'], ['single>c2']], // those of a member that is away stand behind 离线
    ['link_one_sided', [], []],
  ])('%s', (filter, leftMembers, leftLinks) => {
    expect(left(filter)).toEqual({ members: leftMembers, links: leftLinks })
  })

  it('is as many as the chip says: members by state and fault, links by state', () => {
    for (const { value, count } of stateChips(evaluated)) {
      const { members: rows, links: lines } = left(value)
      expect([value, value.startsWith('link_') ? lines.length : rows.length]).toEqual([value, count])
    }
  })

  it('is everything where nothing or nonsense is chosen', () => {
    expect(createMatcher(toStateFilter('nonsense'), { members, links }, evaluated)).toBeNull()
    expect(toStateFilter('link_down')).toBe('link_down')
  })
})

describe('order', () => {
  it('puts members that are wrong first, then centres, then names with their numbers', () => {
    const center = (name: string) => member(name, { role: 'center' })
    const list = [member('n10'), member('n9'), center('c1'), member('bad'), center('z')]
    const order = ['z', 'bad', 'c1', 'n9', 'n10']
    expect(sortMembers(list, new Set(['z', 'bad'])).map(({ router_name }) => router_name)).toEqual(order)
  })

  it('puts broken links first, those that were never set up last', () => {
    const list = (['up', 'never', 'unknown', 'one_sided', 'down'] as const).map((state) => link(state, 'c', state))
    const order = ['down', 'one_sided', 'unknown', 'up', 'never']
    expect(sortLinks(list, (name) => name).map(({ state }) => state)).toEqual(order)
  })
})

it('an address names the centre that it leads to; a centre’s own names none', () => {
  const toName = (name: string) => `名${name}`
  const own = [{ ...link('p', 'c1'), vpn_ip: '100.64.0.2' }]
  const point = { ...member('p'), vpn_ip: ['100.64.0.2', '100.64.8.2'] }
  expect(vpnAddresses(point, own, toName)).toEqual([
    { ip: '100.64.0.2', center: '名c1' },
    { ip: '100.64.8.2', center: '' }, // its link is not listed yet
  ])
  const center = { ...member('c1', { role: 'center' }), vpn_ip: ['100.64.0.1'] }
  expect(vpnAddresses(center, own, toName)).toEqual([{ ip: '100.64.0.1', center: '' }])
})
