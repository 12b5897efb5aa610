import { describe, expect, it } from 'vitest'
import { step } from '#durable/router-hub/state/machine.ts'
import {
  type Outbox,
  arePeersDue,
  emptyOutbox,
  enqueue,
  flushWaitMs,
  isDue,
  isPending,
  isUrgent,
  noFlushes,
  outboxDue,
  withFailure,
  withFlush,
  withNotified,
  withSaved,
} from '#durable/router-hub/state/outbox.ts'
import { type RouterState, blankRouter, unknownRouter } from '#durable/router-hub/state/storage.ts'
import { ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'

const T0 = 1_700_000_000_000

const refreshed = (hash: string) => ({
  type: 'refreshed' as const,
  router: { ...unknownRouter, accountId: 1, routerName: 'r' },
  enabled: true,
  hash,
  isEmpty: false,
  floor: 0,
  linkIds: new Set<string>(),
})

describe('the outbox of a device that changes all the time', () => {
  it('refreshes the peers of a moved address at once, and for further moves at the end of half a minute', () => {
    const moves = (o: Outbox) => enqueue(o, { endpointMoved: true })
    const flush = (o: Outbox, now: number) => withNotified(withSaved(o, o, now), o)
    const first = moves(emptyOutbox)
    expect(arePeersDue(first, T0)).toBe(true)
    const flushed = flush(first, T0)
    expect([flushed.endpointMoved, outboxDue(flushed), isDue(flushed, T0 + 60_000)]).toEqual([false, null, false])

    const second = moves(flushed)
    expect([isDue(second, T0 + 1_000), arePeersDue(second, T0 + 1_000)]).toEqual([true, false])
    const saved = flush(second, T0 + 1_000)
    expect([isPending(saved), outboxDue(saved), isDue(saved, T0 + 29_999)]).toEqual([false, T0 + 30_000, false])
    expect(isDue(saved, T0 + 30_000)).toBe(true)
    const failed = withFailure(saved, T0 + 30_000, 1)
    expect([outboxDue(failed), isDue(failed, T0 + 30_000)]).toEqual([T0 + 31_000, false])
    expect(outboxDue(flush(failed, T0 + 31_000))).toBeNull()
  })

  it('flushes five times in ten seconds, whatever a device sends', () => {
    const quiet = enqueue(emptyOutbox, {})
    const flushed = (times: readonly number[]) => times.reduce((f, ms) => withFlush(f, quiet, T0 + ms), noFlushes)
    expect(flushWaitMs(noFlushes, quiet, T0)).toBe(0)
    expect(flushWaitMs(flushed([0, 10, 20, 30]), quiet, T0 + 40)).toBe(0)
    expect(flushWaitMs(flushed([0, 10, 20, 30, 40]), quiet, T0 + 50)).toBe(9_950)
    expect(flushWaitMs(flushed([0, 10, 20, 30, 40]), quiet, T0 + 10_000)).toBe(0)
  })

  it('flushes presence and final configuration states by a rate of their own: five at once, then one a second', () => {
    const quiet = enqueue(emptyOutbox, {})
    const urgent = enqueue(quiet, { isUrgent: true })
    let flushes = [0, 10, 20, 30, 40].reduce((f, ms) => withFlush(f, quiet, T0 + ms), noFlushes)
    for (let n = 0; n < ROUTER_OUTBOX.urgentBurst; n++) {
      expect(flushWaitMs(flushes, urgent, T0 + 50)).toBe(0)
      flushes = withFlush(flushes, urgent, T0 + 50)
    }
    for (let n = 1; n < 20; n++) {
      const now = T0 + 50 + n * ROUTER_OUTBOX.urgentMs
      expect([flushWaitMs(flushes, urgent, now - 10), flushWaitMs(flushes, urgent, now)]).toEqual([10, 0])
      flushes = withFlush(flushes, urgent, now)
    }
    expect(flushWaitMs(flushes, urgent, T0)).toBe(0) // the clock was set back
    const sent = withNotified(withSaved(enqueue(urgent, {}), urgent, T0), urgent)
    expect([isUrgent(urgent), isUrgent(sent), isUrgent(withSaved(urgent, urgent, T0))]).toEqual([true, false, true])
  })
})

describe('a change that may wait', () => {
  it('does not put off one that may not', () => {
    const waits = enqueue(emptyOutbox, { flushAt: T0 + 5_000 })
    expect([isDue(waits, T0), isDue(waits, T0 + 5_000)]).toEqual([false, true])
    expect(isDue(enqueue(waits, {}), T0)).toBe(true)
    expect(isDue(enqueue(enqueue(emptyOutbox, {}), { flushAt: T0 + 5_000 }), T0)).toBe(true)
  })

  it('is each newer document of a device that is away, after the first', () => {
    const versions = (s: RouterState, hash: string, now: number) => step(s, refreshed(hash), now).state
    const first = versions(blankRouter, 'a', T0)
    expect([first.config.state, isDue(first.outbox, T0)]).toEqual(['queued', true])
    const flushed = { ...first, outbox: withNotified(withSaved(first.outbox, first.outbox, T0), first.outbox) }
    const third = versions(versions(flushed, 'b', T0 + 100), 'c', T0 + 200)
    expect([third.config.version, outboxDue(third.outbox)]).toEqual([3, T0 + 100 + ROUTER_OUTBOX.queuedMs])
    const disabled = step(third, { ...refreshed('d'), enabled: false }, T0 + 300).state
    expect(isDue(disabled.outbox, T0 + 300)).toBe(true)
  })
})
