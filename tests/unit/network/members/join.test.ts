import { expect, it } from 'vitest'
import { planPoints } from '#domain/network/members/join.ts'

const RANGES = { 1: { first: 2, last: 3 }, 2: { first: 2, last: 4 } }
const PLACES = { hosts: [2], ranges: RANGES, preferred: RANGES }
const QUOTA = { members: 10, membersUsed: 1, centers: 1 }
const software = (...names: string[]) => names.map((name) => ({ name, type: 2 as const }))

it('gives each its host, in their order', () => {
  expect(planPoints({ status: 1 }, PLACES, QUOTA, [...software('a'), { name: 'b', type: 1 }])).toEqual({
    points: [
      { name: 'a', host: 4 },
      { name: 'b', host: 3 },
    ],
    refused: null,
  })
})

it.each([
  ['the quota', { status: 1 }, { ...QUOTA, members: 2 }, 1, 'MEMBER_LIMIT_REACHED'],
  ['the network’s hosts', { status: 1 }, QUOTA, 2, 'SEGMENTS_USED_UP'],
  ['a suspended network', { status: 0 }, QUOTA, 0, 'NETWORK_SUSPENDED'],
] as const)('as many as %s takes, and why no more', (_, network, quota, count, key) => {
  const { points, refused } = planPoints(network, PLACES, quota, software('a', 'b', 'c'))
  expect([points.length, refused?.key]).toEqual([count, key])
})
