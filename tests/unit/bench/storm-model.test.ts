import { describe, expect, it } from 'vitest'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { modelStorm } from '#infra/bench/storm/model.ts'
import { createRandom } from '#tests/support/random.ts'

const LIMITS = { perSecond: 1_000, shedMs: 2_000, spreadMs: PRESENCE.restartSpreadMs as number }
const NONE = { connect: 0, hub: 0, console: 1 }

const model = (load: Partial<Parameters<typeof modelStorm>[0]>, limits: Partial<typeof LIMITS> = {}) =>
  modelStorm({ routers: 0, consoles: 0, calls: NONE, ...load }, { ...LIMITS, ...limits }, createRandom(7).next)

describe('the model of a reconnect storm', () => {
  it('brings routers that ask the database for nothing back within their spread, however many consoles come', () => {
    const { routers } = model({ routers: 10_000, consoles: 50_000 })
    expect(routers).toBeGreaterThan(0.9 * LIMITS.spreadMs)
    expect(routers).toBeLessThanOrEqual(LIMITS.spreadMs + 1)
  })

  it('is the wait of a single console, where nobody else comes', () => {
    const { routers, consoles } = model({ consoles: 1 })
    expect(routers).toBe(0)
    expect(consoles).toBeGreaterThanOrEqual(7_000)
    expect(consoles).toBeLessThanOrEqual(13_001)
  })

  it('is the time of the calls, where they keep the database busy without a refusal', () => {
    const calls = { ...NONE, connect: 2 }
    const times = model({ routers: 1_000, calls }, { shedMs: Infinity, spreadMs: 0 })
    expect(times.routers).toBeGreaterThanOrEqual(2_000)
    expect(times.routers).toBeLessThan(2_300)
  })

  it('refuses what would wait too long, and the others come back later, all of them', () => {
    const calm = model({ consoles: 20_000 }, { shedMs: Infinity }).consoles
    const refused = model({ consoles: 20_000 }, { shedMs: 100 }).consoles
    expect(calm).toBeLessThan(28_000)
    expect(refused).toBeGreaterThan(calm)
  })

  it('is minutes for a fleet whose connects and log lines ask the database, as before return tickets', () => {
    const calls = { connect: 1, hub: 3, console: 1 }
    const before = model({ routers: 20_000, consoles: 10_000, calls }, { spreadMs: 2_000, perSecond: 200 }) // a fifth
    expect(before.routers).toBeGreaterThan(300_000)
    const now = model({ routers: 100_000, consoles: 50_000 }) // with one call of a console
    expect(now.routers).toBeLessThanOrEqual(60_000)
    expect(now.consoles).toBeLessThanOrEqual(200_000)
  })
})
