import { describe, expect, it } from 'vitest'
import { ATTENTION_KINDS } from '#contract/kernel/health.ts'
import { type StepFacts, stepsAgainst } from '#domain/health/steps.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const NOTHING: StepFacts = { site: null, silent: null, isAway: false }
const FACTS: readonly StepFacts[] = [
  NOTHING,
  { ...NOTHING, isAway: true },
  { ...NOTHING, site: { others: 3, away: 3 } },
  { ...NOTHING, site: { others: 3, away: 0 } },
  { ...NOTHING, silent: { end: '甲', other: '乙' } },
]

describe('steps against a trouble', () => {
  it('are two to four for every kind, whatever is known, and none twice', async () => {
    const offenders = await findOffenders(ATTENTION_KINDS.map((kind) => [kind] as const))((kind) => {
      for (const facts of FACTS) {
        const steps = stepsAgainst(kind, facts)
        expect(steps.length).toBeGreaterThanOrEqual(2)
        expect(steps.length).toBeLessThanOrEqual(4)
        expect(new Set(steps).size).toBe(steps.length)
      }
    })
    expect(offenders).toEqual([])
  })

  it('begin with the site if its other devices are away, and with the device if they are there', () => {
    expect(stepsAgainst('center_offline', { ...NOTHING, site: { others: 2, away: 2 } })[0]).toBe(
      '该处其他 2 台硬件也离线：先查供电和出口线路',
    )
    expect(stepsAgainst('center_offline', { ...NOTHING, site: { others: 2, away: 1 } })[0]).toBe(
      '该处其他 1 台硬件在线，线路和供电正常：先查这台设备',
    )
  })

  it('name the way that is blocked on a link of which one end receives nothing', () => {
    const [first] = stepsAgainst('link_one_sided', { ...NOTHING, silent: { end: '门店', other: '总部' } })
    expect(first).toBe('“门店”收不到探测：检查“总部”的出口和“门店”的入口是否放行隧道端口（UDP）')
  })
})
