import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FAN_OUT, OUTBOX } from '../../../worker/contract/limits.ts'
import { fanOutWaitMs, inTurn, joinWaiting, recordFanOut, takeWaiting } from '../../../worker/db/fan-out.ts'

const T0 = 1_700_000_000_000
const rows = (mark: string, amount: number) =>
  Array.from({ length: amount }, (_, n) => ({
    id: `${mark}${n}`,
    kind: 'router' as const,
    hub: `default.${n}`,
    op: 'refresh' as const,
  }))

beforeEach(() => void vi.useFakeTimers({ now: T0 }))
afterEach(() => void vi.useRealTimers())

describe('entries of a hub that another delivery waits with', () => {
  it('are covered by its call, unless that has begun', () => {
    const [first, second, third] = [rows('a', 2), rows('b', 2), rows('c', 2)]
    expect(joinWaiting(first, T0)).toEqual(first)
    expect(joinWaiting(second, T0)).toEqual([])
    expect(takeWaiting(first[0]!)).toEqual(['a0', 'b0'])
    expect(joinWaiting(third, T0)).toEqual([third[0]])
    expect([takeWaiting(first[1]!), takeWaiting(third[0]!), takeWaiting(first[0]!)]).toEqual([
      ['a1', 'b1', 'c1'],
      ['c0'],
      [],
    ])
  })

  it('are called for themselves once that delivery must have been cut off', () => {
    joinWaiting(rows('a', 1), T0)
    const later = rows('b', 1)
    expect(joinWaiting(later, T0 + OUTBOX.sweepAfterMs)).toEqual(later)
    expect(takeWaiting(later[0]!)).toEqual(['b0'])
  })

  it('of another kind of call are no matter of it', () => {
    joinWaiting(rows('a', 1), T0)
    const removed = rows('b', 1).map((row) => ({ ...row, op: 'remove' as const }))
    expect(joinWaiting(removed, T0)).toEqual(removed)
    for (const row of [...rows('a', 1), ...removed]) takeWaiting(row)
  })
})

it('the hubs of a large network are called once in ten seconds, those of a small one at once', () => {
  const [large, small] = [rows('a', FAN_OUT.large + 1), rows('b', FAN_OUT.large)]
  expect(fanOutWaitMs(large, T0)).toBe(0)
  recordFanOut(large, T0)
  expect(fanOutWaitMs(small, T0 + 1)).toBe(0)
  expect(fanOutWaitMs(large, T0 + 4_000)).toBe(6_000)
  expect(fanOutWaitMs(large, T0 + FAN_OUT.againMs)).toBe(0)
})

it('groups run one at a time with a pause of twice their time between; a hanging one gives way after a second', async () => {
  const begun: number[] = []
  const take = (ms: number) => () => {
    begun.push(Date.now() - T0)
    return new Promise<void>((done) => setTimeout(done, ms))
  }
  void inTurn(true, take(10))
  void inTurn(true, take(60_000))
  void inTurn(false, take(1))
  expect(begun).toEqual([0, 0])
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toEqual([0, 0, 30])
  void inTurn(true, take(1))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(begun.slice(3)).toEqual([expect.closeTo(1_030, -1)])
})
