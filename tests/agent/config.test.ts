import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConfigDocument } from '../../infra/agent/config-machine.ts'
import { ConfigWorld } from './support/config-world.ts'
import { configDocument } from './support/documents.ts'

async function running(version = 1): Promise<ConfigWorld> {
  const world = new ConfigWorld()
  await world.start()
  await world.welcome()
  await world.offer(configDocument(version))
  await world.answer()
  world.reports = []
  return world
}

describe('a document', () => {
  it('goes through received, applied and confirmed, and counts only then', async () => {
    const world = new ConfigWorld()
    await world.start()
    await world.welcome()
    await world.offer(configDocument(1))
    expect(world.states()).toEqual(['1 received', '1 applied'])
    expect([world.device, world.confirmedVersion]).toEqual([configDocument(1).body, null])
    await world.answer()
    expect(world.states()).toEqual(['1 received', '1 applied', '1 confirmed'])
    expect(world.confirmedVersion).toBe(1)
  })

  it('that cuts the device off is taken back after 120 s, and the hub hears of it when it is back', async () => {
    const world = await running(1)
    await world.offer(configDocument(2))
    await world.lose()
    await world.clock.advance(119_000)
    expect(world.device).toEqual(configDocument(2).body)
    await world.clock.advance(2_000)
    expect([world.device, world.confirmedVersion]).toEqual([configDocument(1).body, 1])
    expect(world.states()).toEqual(['2 received', '2 applied'])
    await world.welcome(2)
    expect(world.reports.at(-1)).toMatchObject({
      version: 2,
      state: 'reverted',
      reason: expect.stringContaining('已恢复'),
    })
    await world.lose()
    await world.welcome(2)
    expect(world.states().filter((s) => s === '2 reverted')).toHaveLength(1)
  })

  it('with nothing confirmed before is taken off again', async () => {
    const world = new ConfigWorld()
    await world.start()
    await world.welcome()
    await world.offer(configDocument(1))
    await world.clock.advance(121_000)
    expect([world.device, world.runner.running]).toEqual([null, null])
    expect(world.states().at(-1)).toBe('1 reverted')
  })

  it('that is older than one offered on this connection is ignored', async () => {
    const world = await running(5)
    await world.offer(configDocument(4))
    expect(world.states()).toEqual([])
    expect(world.device).toEqual(configDocument(5).body)
  })

  it('with a lower version is taken where the hub itself has started to count anew', async () => {
    const world = await running(37)
    await world.lose()
    await world.welcome(1)
    await world.offer(configDocument(1))
    await world.answer()
    expect(world.confirmedVersion).toBe(1)
  })

  it('that comes again is confirmed again without another trial', async () => {
    const world = await running(1)
    await world.offer(configDocument(1))
    expect(world.states()).toEqual(['1 confirmed'])
    await world.clock.advance(500_000)
    expect(world.states()).toEqual(['1 confirmed'])
  })

  it('that comes again puts right what was tampered with', async () => {
    const world = await running(1)
    world.device = null
    await world.offer(configDocument(1))
    expect(world.device).toEqual(configDocument(1).body)
  })

  it('that comes again during its trial is not confirmed by that, nor is its time extended', async () => {
    const world = await running(1)
    await world.offer(configDocument(2))
    await world.clock.advance(100_000)
    await world.offer(configDocument(2))
    expect(world.states()).toEqual(['2 received', '2 applied', '2 applied'])
    await world.clock.advance(21_000)
    expect(world.states().at(-1)).toBe('2 reverted')
  })

  it('of the same content under a new version needs its own proof during a trial', async () => {
    const world = await running(1)
    await world.offer(configDocument(2, 'same'))
    await world.offer(configDocument(3, 'same'))
    expect(world.confirmedVersion).toBe(1)
    await world.answer()
    expect(world.confirmedVersion).toBe(3)
  })

  it('whose hash is wrong never gets near the device', async () => {
    const world = await running(1)
    await world.offer(configDocument(2), { intact: false })
    expect(world.states()).toEqual(['2 failed'])
    expect(world.device).toEqual(configDocument(1).body)
  })

  it('that the driver refuses leaves everything as it was', async () => {
    const world = await running(1)
    world.refuses.add('N2')
    await world.offer(configDocument(2))
    expect(world.states()).toEqual(['2 received', '2 failed'])
    expect([world.device, world.runner.running?.version]).toEqual([configDocument(1).body, 1])
  })

  it('that cannot be applied gives way to the last confirmed one, with the tool’s own words', async () => {
    const world = await running(1)
    world.breaksOn.add('N2')
    await world.offer(configDocument(2))
    expect(world.reports.at(-1)).toMatchObject({ version: 2, state: 'failed', log: 'disk full' })
    expect([world.device, world.runner.running?.version, world.confirmedVersion]).toEqual([
      configDocument(1).body,
      1,
      1,
    ])
  })

  it('on a full disk is reported as failed, and never as confirmed', async () => {
    const world = await running(1)
    world.isDiskFull = true
    world.breaksOn.add('N2')
    await world.offer(configDocument(2))
    expect(world.reports.at(-1)).toMatchObject({ version: 2, state: 'failed', log: 'disk full' })
    await world.offer(configDocument(3))
    await world.answer()
    expect([world.states().includes('3 confirmed'), world.confirmedVersion]).toEqual([false, 1])
  })

  it('newer than one on trial replaces it; the way back still leads to the confirmed one', async () => {
    const world = await running(1)
    await world.offer(configDocument(2))
    await world.offer(configDocument(3))
    expect(world.device).toEqual(configDocument(3).body)
    await world.clock.advance(121_000)
    expect([world.device, world.confirmedVersion]).toEqual([configDocument(1).body, 1])
    expect(world.states().at(-1)).toBe('3 reverted')
  })

  it.each(['reached', 'overdue'] as const)(
    '%s of an earlier trial says nothing about the present one',
    async (type) => {
      const world = await running(1)
      await world.offer(configDocument(2))
      await world.offer(configDocument(3))
      await world.runner.dispatch({ type, version: 2 })
      expect([world.device, world.confirmedVersion]).toEqual([configDocument(3).body, 1])
      await world.answer()
      expect(world.confirmedVersion).toBe(3)
    },
  )

  it('refused during another’s trial leaves that trial running', async () => {
    const world = await running(1)
    await world.offer(configDocument(2))
    world.refuses.add('N3')
    await world.offer(configDocument(3))
    await world.answer()
    expect(world.confirmedVersion).toBe(2)
  })
})

describe('a kill', () => {
  /** Actions of one whole round, each with a kill before and one after its effect. */
  it.each(Array.from({ length: 16 }, (_, i) => i + 1))(
    'at point %i leaves a confirmed document, and the next push lands',
    async (point) => {
      const world = await running(1)
      world.kill()
      await world.start(point)
      if (!world.isDead) await world.welcome(2)
      if (!world.isDead) await world.offer(configDocument(2))
      if (!world.isDead) await world.answer()

      world.kill()
      await world.start()
      const version = world.confirmedVersion
      expect([1, 2]).toContain(version)
      expect(world.device).toEqual(configDocument(version!).body)
      expect(world.runner.running?.version).toBe(version)

      await world.welcome(2)
      await world.offer(configDocument(2))
      await world.answer()
      expect([world.confirmedVersion, world.device]).toEqual([2, configDocument(2).body])
    },
  )

  it('during a trial ends the trial: the confirmed document returns at the next start', async () => {
    const world = await running(1)
    await world.offer(configDocument(2))
    expect(world.device).toEqual(configDocument(2).body)
    world.kill()
    await world.start()
    expect(world.device).toEqual(configDocument(1).body)
  })

  it('between going back and telling the hub loses no report', async () => {
    const world = await running(1)
    await world.offer(configDocument(2))
    await world.lose()
    await world.clock.advance(121_000)
    world.kill()
    await world.start()
    await world.welcome(2)
    expect(world.states()).toContain('2 reverted')
  })

  it('that left an unreadable record starts from nothing instead of not at all', async () => {
    const world = new ConfigWorld()
    world.disk.set('config', '{"confirmed":{"version":"x"}}')
    await world.start()
    await world.welcome()
    await world.offer(configDocument(1))
    await world.answer()
    expect(world.confirmedVersion).toBe(1)
  })
})

type Step =
  | { do: 'offer'; version: number; intact: boolean }
  | { do: 'answer' | 'lose' | 'welcome' }
  | { do: 'wait'; ms: number }
  | { do: 'start'; killAt: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('offer' as const), version: fc.integer({ min: 1, max: 6 }), intact: fc.boolean() }),
  fc.record({ do: fc.constantFrom('answer' as const, 'lose' as const, 'welcome' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 200_000 }) }),
  fc.record({
    do: fc.constant('start' as const),
    killAt: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(Infinity)),
  }),
)

async function perform(world: ConfigWorld, step: Step): Promise<void> {
  switch (step.do) {
    case 'offer':
      return world.offer(configDocument(step.version), { intact: step.intact })
    case 'answer':
      return world.answer()
    case 'lose':
      return world.lose()
    case 'welcome':
      return world.welcome(0)
    case 'wait':
      return world.clock.advance(step.ms)
    case 'start':
  }
}

it('whatever happens in whatever order, what is confirmed was reached, and a quiet hub gets its document applied', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const world = new ConfigWorld()
      const proved = new Set<number | null>([null])
      await world.start()
      await world.welcome()
      for (const s of steps) {
        if (world.isDead || s.do === 'start') {
          world.kill()
          await world.start(s.do === 'start' ? s.killAt : Infinity)
        }
        if (s.do === 'answer') proved.add(world.runner.running?.version ?? null)
        await perform(world, s)
        expect(proved).toContain(world.confirmedVersion)
      }
      world.kill()
      await world.start()
      await world.welcome(7)
      const desired: ConfigDocument = configDocument(7)
      await world.offer(desired)
      await world.answer()
      expect([world.confirmedVersion, world.device]).toEqual([7, desired.body])
    }),
    { numRuns: 60 },
  )
})
