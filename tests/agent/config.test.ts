import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConfigDocument } from '#infra/agent/config/config-machine.ts'
import { ConfigHarness } from './support/config-harness.ts'
import { configDocument } from './support/documents.ts'
import { findOffenders } from '#tests/support/offenders.ts'

async function createApplied(version = 1): Promise<ConfigHarness> {
  const harness = new ConfigHarness()
  await harness.start()
  await harness.welcome()
  await harness.offer(configDocument(version))
  await harness.answer()
  harness.reports = []
  return harness
}

describe('a document', () => {
  it('goes through received, applied and confirmed', async () => {
    const harness = new ConfigHarness()
    await harness.start()
    await harness.welcome()
    await harness.offer(configDocument(1))
    expect(harness.states()).toEqual(['1 received', '1 applied'])
    expect([harness.device, harness.confirmedVersion]).toEqual([configDocument(1).body, null])
    await harness.answer()
    expect(harness.states()).toEqual(['1 received', '1 applied', '1 confirmed'])
    expect(harness.confirmedVersion).toBe(1)
  })

  it('that cuts the device off is reverted after 120 s and reported after the reconnect', async () => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(2))
    await harness.lose()
    await harness.clock.advance(119_000)
    expect(harness.device).toEqual(configDocument(2).body)
    await harness.clock.advance(2_000)
    expect([harness.device, harness.confirmedVersion]).toEqual([configDocument(1).body, 1])
    expect(harness.states()).toEqual(['2 received', '2 applied'])
    await harness.welcome(2)
    expect(harness.reports.at(-1)).toMatchObject({
      version: 2,
      state: 'reverted',
      reason: expect.stringContaining('已恢复'),
    })
    await harness.lose()
    await harness.welcome(2)
    expect(harness.states().filter((s) => s === '2 reverted')).toHaveLength(1)
  })

  it('without a confirmed predecessor is removed again', async () => {
    const harness = new ConfigHarness()
    await harness.start()
    await harness.welcome()
    await harness.offer(configDocument(1))
    await harness.clock.advance(121_000)
    expect([harness.device, harness.runner.applied]).toEqual([null, null])
    expect(harness.states().at(-1)).toBe('1 reverted')
  })

  it('that is older than one offered on this connection is ignored', async () => {
    const harness = await createApplied(5)
    await harness.offer(configDocument(4))
    expect(harness.states()).toEqual([])
    expect(harness.device).toEqual(configDocument(5).body)
  })

  it('with a lower version is accepted after the hub restarted its numbering', async () => {
    const harness = await createApplied(37)
    await harness.lose()
    await harness.welcome(1)
    await harness.offer(configDocument(1))
    await harness.answer()
    expect(harness.confirmedVersion).toBe(1)
  })

  it('that is repeated is confirmed without another trial', async () => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(1))
    expect(harness.states()).toEqual(['1 confirmed'])
    await harness.clock.advance(500_000)
    expect(harness.states()).toEqual(['1 confirmed'])
  })

  it('that is repeated repairs tampered files', async () => {
    const harness = await createApplied(1)
    harness.device = null
    await harness.offer(configDocument(1))
    expect(harness.device).toEqual(configDocument(1).body)
  })

  it('that is repeated during its trial neither confirms nor extends the trial', async () => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(2))
    await harness.clock.advance(100_000)
    await harness.offer(configDocument(2))
    expect(harness.states()).toEqual(['2 received', '2 applied', '2 applied'])
    await harness.clock.advance(21_000)
    expect(harness.states().at(-1)).toBe('2 reverted')
  })

  it('of the same content under a new version needs its own confirmation during a trial', async () => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(2, 'same'))
    await harness.offer(configDocument(3, 'same'))
    expect(harness.confirmedVersion).toBe(1)
    await harness.answer()
    expect(harness.confirmedVersion).toBe(3)
  })

  it('with a wrong hash is never staged', async () => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(2), { intact: false })
    expect(harness.states()).toEqual(['2 failed'])
    expect(harness.device).toEqual(configDocument(1).body)
  })

  it('that the driver refuses changes nothing', async () => {
    const harness = await createApplied(1)
    harness.refuses.add('N2')
    await harness.offer(configDocument(2))
    expect(harness.states()).toEqual(['2 received', '2 failed'])
    expect([harness.device, harness.runner.applied?.version]).toEqual([configDocument(1).body, 1])
  })

  it('that cannot be applied is replaced by the last confirmed one, and the tool’s error reported', async () => {
    const harness = await createApplied(1)
    harness.breaksOn.add('N2')
    await harness.offer(configDocument(2))
    expect(harness.reports.at(-1)).toMatchObject({ version: 2, state: 'failed', log: 'disk full' })
    expect([harness.device, harness.runner.applied?.version, harness.confirmedVersion]).toEqual([
      configDocument(1).body,
      1,
      1,
    ])
  })

  it('on a full disk is reported as failed, and never as confirmed', async () => {
    const harness = await createApplied(1)
    harness.isDiskFull = true
    harness.breaksOn.add('N2')
    await harness.offer(configDocument(2))
    expect(harness.reports.at(-1)).toMatchObject({ version: 2, state: 'failed', log: 'disk full' })
    await harness.offer(configDocument(3))
    await harness.answer()
    expect([harness.states().includes('3 confirmed'), harness.confirmedVersion]).toEqual([false, 1])
  })

  it('newer than one on trial replaces it; a revert still restores the confirmed one', async () => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(2))
    await harness.offer(configDocument(3))
    expect(harness.device).toEqual(configDocument(3).body)
    await harness.clock.advance(121_000)
    expect([harness.device, harness.confirmedVersion]).toEqual([configDocument(1).body, 1])
    expect(harness.states().at(-1)).toBe('3 reverted')
  })

  it.each(['reached', 'overdue'] as const)('%s of an earlier trial is ignored', async (type) => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(2))
    await harness.offer(configDocument(3))
    await harness.runner.dispatch({ type, version: 2 })
    expect([harness.device, harness.confirmedVersion]).toEqual([configDocument(3).body, 1])
    await harness.answer()
    expect(harness.confirmedVersion).toBe(3)
  })

  it('refused during another’s trial leaves that trial running', async () => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(2))
    harness.refuses.add('N3')
    await harness.offer(configDocument(3))
    await harness.answer()
    expect(harness.confirmedVersion).toBe(2)
  })
})

describe('a kill', () => {
  /** Actions of one whole round, each with a kill before and one after its effect. */
  it('at each of 16 points leaves a confirmed document, and the next push is applied', async () => {
    const offenders = await findOffenders(Array.from({ length: 16 }, (_, i) => i + 1))(async (point) => {
      const harness = await createApplied(1)
      harness.kill()
      await harness.start(point)
      if (!harness.isDead) await harness.welcome(2)
      if (!harness.isDead) await harness.offer(configDocument(2))
      if (!harness.isDead) await harness.answer()

      harness.kill()
      await harness.start()
      const version = harness.confirmedVersion
      expect([1, 2]).toContain(version)
      expect(harness.device).toEqual(configDocument(version!).body)
      expect(harness.runner.applied?.version).toBe(version)

      await harness.welcome(2)
      await harness.offer(configDocument(2))
      await harness.answer()
      expect([harness.confirmedVersion, harness.device]).toEqual([2, configDocument(2).body])
    })
    expect(offenders).toEqual([])
  })

  it('during a trial ends the trial: the confirmed document returns at the next start', async () => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(2))
    expect(harness.device).toEqual(configDocument(2).body)
    harness.kill()
    await harness.start()
    expect(harness.device).toEqual(configDocument(1).body)
  })

  it('between a revert and its report loses no report', async () => {
    const harness = await createApplied(1)
    await harness.offer(configDocument(2))
    await harness.lose()
    await harness.clock.advance(121_000)
    harness.kill()
    await harness.start()
    await harness.welcome(2)
    expect(harness.states()).toContain('2 reverted')
  })

  it('that left an unreadable record starts without a document', async () => {
    const harness = new ConfigHarness()
    harness.disk.set('config', '{"confirmed":{"version":"x"}}')
    await harness.start()
    await harness.welcome()
    await harness.offer(configDocument(1))
    await harness.answer()
    expect(harness.confirmedVersion).toBe(1)
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

async function perform(harness: ConfigHarness, step: Step): Promise<void> {
  switch (step.do) {
    case 'offer':
      return harness.offer(configDocument(step.version), { intact: step.intact })
    case 'answer':
      return harness.answer()
    case 'lose':
      return harness.lose()
    case 'welcome':
      return harness.welcome(0)
    case 'wait':
      return harness.clock.advance(step.ms)
    case 'start':
  }
}

it('under any order of events, a confirmed document reached the hub and the last one is applied', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const harness = new ConfigHarness()
      const proved = new Set<number | null>([null])
      await harness.start()
      await harness.welcome()
      for (const s of steps) {
        if (harness.isDead || s.do === 'start') {
          harness.kill()
          await harness.start(s.do === 'start' ? s.killAt : Infinity)
        }
        if (s.do === 'answer') proved.add(harness.runner.applied?.version ?? null)
        await perform(harness, s)
        expect(proved).toContain(harness.confirmedVersion)
      }
      harness.kill()
      await harness.start()
      await harness.welcome(7)
      const desired: ConfigDocument = configDocument(7)
      await harness.offer(desired)
      await harness.answer()
      expect([harness.confirmedVersion, harness.device]).toEqual([7, desired.body])
    }),
    { numRuns: 60 },
  )
})

describe('a node that refuses networks of a document', () => {
  const REFUSED = [{ network_number: 'N2', reason: '配置校验失败：端口21010已被占用' }]
  const refusals = (harness: ConfigHarness) =>
    harness.reports.map(({ version, state, refused }) => `${version} ${state} ${refused?.length ?? 'none'}`)

  it('names them with each result of the document that runs', async () => {
    const harness = new ConfigHarness()
    harness.refused = REFUSED
    await harness.start()
    await harness.welcome()
    await harness.offer(configDocument(1))
    await harness.answer()
    expect(refusals(harness)).toEqual(['1 received none', '1 applied 1', '1 confirmed 1'])
    expect(harness.reports.at(-1)?.refused).toEqual(REFUSED)
    harness.refused = []
    await harness.offer(configDocument(1))
    expect(refusals(harness).at(-1)).toBe('1 confirmed none')
  })

  it('says after a start what it refuses now, and a device that is no node says nothing', async () => {
    const harness = await createApplied(1)
    harness.refused = REFUSED
    await harness.start()
    await harness.welcome(1)
    expect(refusals(harness)).toEqual(['1 confirmed 1'])
    harness.reports = []
    harness.refused = null
    await harness.start()
    await harness.welcome(1)
    expect(harness.reports).toEqual([])
  })

  it('reports a document that was reverted before, with what happened to it', async () => {
    const harness = await createApplied(1)
    harness.refused = REFUSED
    await harness.offer(configDocument(2))
    await harness.lose()
    await harness.clock.advance(121_000)
    await harness.welcome(2)
    expect(refusals(harness)).toEqual(['2 received none', '2 applied 1', '2 reverted none'])
  })
})
