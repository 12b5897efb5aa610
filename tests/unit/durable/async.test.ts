import { describe, expect, it } from 'vitest'
import { SingleFlight, Slots } from '#durable/async.ts'

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
