import { describe, expect, it } from 'vitest'
import { assignMembers, checkCancel, checkDelete, checkStep } from '#domain/network/pop/tickets.ts'
import { addYears } from '#contract/kernel/time.ts'
import { daysLeft } from '#domain/network-fr/resource.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const STATUSES = [1, 2, 3, 4] as const
const ALLOWED = ['1→2', '2→3', '1→4', '2→4', '3→4']

describe('network 4 · network ticket status', () => {
  it('each step is taken or refused as in the table', async () => {
    const offenders = await findOffenders(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
      (from, to) => {
        const expected = ALLOWED.includes(`${from}→${to}`) ? undefined : 'NETWORK_TICKET_STEP'
        expect(checkStep(from, to)?.key).toBe(expected)
      },
    )
    expect(offenders).toEqual([])
  })
  it('delete is allowed on 1 or 4, cancel on 2 or 3', () => {
    expect(STATUSES.filter((status) => checkDelete(status) === null)).toEqual([1, 4])
    expect(STATUSES.filter((status) => checkCancel(status) === null)).toEqual([2, 3])
  })
})

describe('network 2 · members of an order', () => {
  const members = [
    { routerId: 1, routerName: 'NL-A' },
    { routerId: 2, routerName: 'NL-B' },
  ]
  it('are kept by id under their area; an area without any has none', () => {
    expect(assignMembers([7, 8], { '7': ['nl-b'] }, members)).toEqual({
      assigned: { '7': [{ id: 2, name: 'NL-B' }], '8': [] },
      refused: null,
    })
  })
  it.each([
    ['an area that is not ordered', { '9': ['NL-A'] }, 'POP_CONF_UNCHOSEN'],
    ['a router that is not in the network', { '7': ['NL-C'] }, 'MEMBER_NOT_IN_NETWORK'],
    ['a member in two areas', { '7': ['NL-A'], '8': ['nl-a'] }, 'MEMBER_TWICE'],
  ])('refuse %s', (_, conf, key) => {
    expect(assignMembers([7, 8], conf, members).refused?.key).toBe(key)
  })
})

describe('network 2 · term of a POP resource', () => {
  const day = 86_400_000
  it.each([
    [30 * day, 0, 30],
    [1, 0, 1],
    [0, 0, 0],
    [-day, 0, 0],
    [30 * day, 1, 0], // renewed, and its areas are not back in the documents yet
  ])('%i ms before its end, lapsed %i, there are %i days left', (left, lapsed, days) => {
    expect(daysLeft({ expireAt: 1_000 * day + left, lapsed }, 1_000 * day)).toBe(days)
  })
})

describe('network 2 · term of a POP resource', () => {
  const shanghai = (text: string) => Date.parse(`${text}+08:00`)
  it.each([
    ['2026-03-01T00:00:00', 1, '2027-03-01T00:00:00'], // 29 February there was none, 28 February in UTC
    ['2027-03-01T00:00:00', 1, '2028-03-01T00:00:00'],
    ['2028-02-29T00:00:00', 1, '2029-03-01T00:00:00'],
    ['2028-02-29T23:59:59', 1, '2029-03-01T23:59:59'],
    ['2028-03-01T00:00:00', 1, '2029-03-01T00:00:00'], // in UTC 29 February, which would give a day more
    ['2028-02-28T07:00:00', 3, '2031-02-28T07:00:00'],
  ])('of %s and %i years ends on the same day of Asia/Shanghai: %s', (from, years, end) => {
    expect(addYears(shanghai(from), years)).toBe(shanghai(end))
  })
})
