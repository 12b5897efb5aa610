import { describe, expect, it } from 'vitest'
import { testMachine } from './support/agents.ts'
import { flushPromises } from './support/fake-clock.ts'
import { createHarness } from './support/timed-agent.ts'

describe('a socket without a welcome', () => {
  it('is closed after 30 s, although its pings are answered, and the next one is welcomed', async () => {
    const { agent, clock, sockets, welcome } = await createHarness()
    await clock.advance(11_000)
    sockets.last.events.closed(1011, '')
    await flushPromises()
    await clock.advance(2_000)
    await expect.poll(() => sockets.all.length, { interval: 2 }).toBe(2)
    const silent = sockets.last
    silent.events.opened()
    await clock.advance(29_900)
    expect(silent.closedWith).toBeNull()
    await clock.advance(200)
    expect(silent.closedWith).toBe(4005)
    await clock.advance(4_000)
    await expect.poll(() => sockets.all.length, { interval: 2 }).toBe(3)
    await welcome()
    expect(agent.isUp).toBe(true)
  })

  it('a socket without a hello is closed at once', async () => {
    let isBroken = false
    const real = testMachine()
    const interfaces = () => (isBroken ? Promise.reject(new Error('EMFILE')) : real.interfaces())
    const { agent, clock, sockets, lines, welcome } = await createHarness({ machine: { interfaces } })
    await clock.advance(11_000)
    sockets.last.events.closed(1011, '')
    await flushPromises()
    await clock.advance(2_000)
    await expect.poll(() => sockets.all.length, { interval: 2 }).toBe(2)
    isBroken = true
    sockets.last.events.opened()
    await flushPromises()
    expect(sockets.last.closedWith).toBe(1000)
    expect(lines.at(-1)).toMatch(/^not connected: EMFILE; next try in /)
    isBroken = false
    await clock.advance(4_000)
    await expect.poll(() => sockets.all.length, { interval: 2 }).toBe(3)
    await welcome()
    expect(agent.isUp).toBe(true)
  })
})

describe('the back-off', () => {
  const parseWait = (line: string) => Number(/next try in ([\d.]+) s/.exec(line)?.[1])

  it.each([
    [1006, 4_000],
    [1012, 45_000],
  ])('starts within its spread after a connection that was lost (%i)', async (code, withinMs) => {
    const { clock, sockets, lines } = await createHarness({ random: 0.999_999 })
    await clock.advance(11_000)
    sockets.last.events.closed(code, '')
    await flushPromises()
    expect(parseWait(lines.at(-1)!)).toBe(withinMs / 1_000)
    await clock.advance(withinMs - 100)
    expect(sockets.all).toHaveLength(1)
    await clock.advance(100)
    await expect.poll(() => sockets.all.length, { interval: 2 }).toBe(2)
  })

  it('grows while the server refuses, and resets after a connection that lasted', async () => {
    const { clock, sockets, lines, welcome } = await createHarness({ random: 0.999_999 })
    const waits: number[] = []
    const fail = async (after: number) => {
      const { length } = lines
      sockets.last.events.closed(1011, '')
      await expect.poll(() => lines.length, { interval: 2 }).toBe(length + 1)
      waits.push(parseWait(lines.at(-1)!))
      await clock.advance(waits.at(-1)! * 1_000 + 1)
      await expect.poll(() => sockets.all.length, { interval: 2 }).toBe(after)
    }
    await clock.advance(11_000)
    for (const n of [2, 3, 4, 5]) await fail(n)
    await welcome()
    await clock.advance(11_000)
    await fail(6)
    expect(waits).toEqual([2, 4, 8, 16, 2])
  })

  it('does not start anew when the server takes the socket and drops it at once', async () => {
    const { clock, sockets, lines, welcome } = await createHarness({ random: 0.999_999 })
    const waits: number[] = []
    for (let i = 0; i < 5; i++) {
      sockets.last.events.closed(1011, '')
      await flushPromises()
      waits.push(parseWait(lines.at(-1)!))
      await clock.advance(waits[i]! * 1_000 + 1)
      await welcome()
    }
    expect(waits).toEqual([2, 4, 8, 16, 32])
  })
})
