import { describe, expect, it } from 'vitest'
import { SERVICE_KINDS } from '#contract/account/services.ts'
import { STOPS_AT_EXPIRY, isReminded, nextWarning, serviceState, warningMessage } from '#domain/account/service.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const DAY = 86_400_000
const NOW = 1_800_000_000_000

describe('account 2 · state of a service', () => {
  it.each([
    ['pending', 1, 400 * DAY],
    ['pending', 1, 2],
    ['active', 0, 30 * DAY + 1],
    ['active', -DAY, 400 * DAY],
    ['ending', -DAY, 30 * DAY],
    ['ending', -DAY, 1],
    ['expired', -DAY, 0],
    ['expired', -DAY, -DAY / 2],
  ])('%s: starts in %i ms, ends in %i ms', (state, startsIn, endsIn) => {
    expect(serviceState({ startAt: NOW + startsIn, expireAt: NOW + endsIn }, NOW)).toBe(state)
  })
})

it.each([
  ['试用席位', 14 * DAY, false],
  ['试用席位', 7 * DAY, true],
  ['标准服务', 14 * DAY, true],
])('%s that ends in %i ms is reminded of: %s', (name, endsIn, expected) => {
  expect(isReminded({ name, expireAt: NOW + endsIn }, NOW)).toBe(expected)
})

describe('warnings of a term', () => {
  const year = { startAt: NOW - 365 * DAY, expireAt: NOW }
  const short = { startAt: NOW - 20 * DAY, expireAt: NOW }
  it('the warning that is due, and the time of the next, by the days left and the warnings that were sent', async () => {
    const offenders = await findOffenders([
      // days before the end, warnings that were sent, which is due, how long before the end the next one is
      [100, [], null, 30],
      [30.001, [], null, 30],
      [30, [], 30, 7],
      [29, [30], null, 7],
      [7, [30], 7, 1],
      [1, [30, 7], 1, 0],
      [0.5, [30, 7, 1], null, 0],
      [0, [30, 7, 1], 0, null],
      [-100, [30, 7, 1, 0], null, null],
      // late runs: the last that was missed
      [5, [], 7, 1],
      [-3, [], 0, null],
      [-3, [30], 0, null],
      // a renewal that was cut back to the same end
      [25, [30], null, 7],
      [40, [30], null, 7],
      [40, [30, 7], null, 1],
    ])((left, sent, days, nextDays) => {
      const now = NOW - left * DAY
      expect(nextWarning(year, sent, now)).toEqual({
        days,
        nextAt: nextDays === null ? null : NOW - nextDays * DAY,
      })
    })
    expect(offenders).toEqual([])
  })

  it.each([
    [20, null, 7],
    [7, 7, 1],
    [-1, 0, null],
  ])('a term of 20 days begins without one: %d days before its end', (left, days, nextDays) => {
    const nextAt = nextDays === null ? null : NOW - nextDays * DAY
    expect(nextWarning(short, [], NOW - left * DAY)).toEqual({ days, nextAt })
  })
})

describe('text of a warning', () => {
  const service = { kind: 'center', name: '中心点', startAt: 0, expireAt: NOW, endText: '2027-01-15 16:00' } as const
  it('says how much is left and what stops', () => {
    expect(warningMessage(service, NOW - 2.5 * DAY)).toEqual({
      title: '服务“中心点”即将到期',
      content:
        '服务“中心点”将于2027-01-15 16:00到期，还有3天。到期后不能再新增超出数量的中心点，已有中心点不受影响。请在“我的服务”中续费。',
    })
  })
  it('says that it is over', () => {
    expect(warningMessage(service, NOW).title).toBe('服务“中心点”已到期')
    expect(warningMessage(service, NOW).content).toContain('已于2027-01-15 16:00到期')
  })
  it('there is one for every kind', () => {
    expect(Object.keys(STOPS_AT_EXPIRY).toSorted()).toEqual([...SERVICE_KINDS].toSorted())
  })
})
