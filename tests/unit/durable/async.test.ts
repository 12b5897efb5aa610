import { describe, expect, it } from 'vitest'
import { SingleFlight, Slots, wakeAt } from '#durable/async.ts'
import { findOffenders } from '#tests/support/offenders.ts'

describe('single flight', () => {
  it('shares a run that starts after the call, and never two at once', async () => {
    let starts = 0
    let running = 0
    const release: (() => void)[] = []
    const flight = new SingleFlight(async () => {
      starts += 1
      expect(++running).toBe(1)
      await new Promise<void>((done) => release.push(done))
      running -= 1
    })
    const first = flight.run()
    const [second, third] = [flight.run(), flight.run()]
    expect(starts).toBe(1)
    release.shift()?.()
    await first
    await Promise.resolve()
    expect(starts).toBe(2)
    release.shift()?.()
    await Promise.all([second, third])
    expect(starts).toBe(2)
  })
})

describe('slots', () => {
  it('run so many tasks at once, the others in the order of their calls, also after one that failed', async () => {
    const slots = new Slots(2)
    const started: number[] = []
    const ends: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
    const runs = [0, 1, 2, 3].map((index) =>
      slots.run(() => {
        started.push(index)
        return new Promise<void>((resolve, reject) => (ends[index] = { resolve, reject }))
      }),
    )
    expect(started).toEqual([0, 1])
    ends[1]?.reject(new Error('broken'))
    await expect(runs[1]).rejects.toThrow('broken')
    expect(started).toEqual([0, 1, 2])
    ends[0]?.resolve()
    await runs[0]
    expect(started).toEqual([0, 1, 2, 3])
    ends[2]?.resolve()
    ends[3]?.resolve()
    await Promise.all([runs[2], runs[3]])
    expect(await slots.run(async () => 'free')).toBe('free')
  })
})

describe('the alarm of a hub', () => {
  const SECOND = 1_000
  const HOUR = 3_600_000

  it('is moved to an earlier time, and set anew where a clock that jumped left it behind', async () => {
    const offenders = await findOffenders([
      ['none is set', null, 5 * SECOND, 5 * SECOND],
      ['nothing is due', HOUR, null, undefined],
      ['an earlier one stays', 3 * SECOND, 5 * SECOND, undefined],
      ['a later one is moved', HOUR, 5 * SECOND, 5 * SECOND],
      ['one that fires this moment stays', -SECOND, 5 * SECOND, undefined],
      ['the clock was set two hours forward', -2 * HOUR, 5 * SECOND, 5 * SECOND],
      ['the clock was set an hour back', HOUR + 5 * SECOND, 5 * SECOND, 5 * SECOND],
      ['what is overdue is due now', null, -HOUR, 0],
    ] as const)(async (_, set, due, expected) => {
      const now = Date.now()
      let moved: number | undefined
      const storage = {
        getAlarm: async () => (set === null ? null : now + set),
        setAlarm: async (at: number) => void (moved = at),
      }
      await wakeAt(storage, [null, due === null ? null : now + due])
      expect(moved === undefined ? undefined : Math.round((moved - now) / SECOND) * SECOND).toBe(expected)
    })
    expect(offenders).toEqual([])
  })
})
