import { describe, expect, it } from 'vitest'
import { PLAN_DOLLARS, bill, noCounts } from '#infra/bench/cost/prices.ts'

describe('the monthly bill of bench cost', () => {
  it('is the plan where nothing is used', () => {
    expect(bill(noCounts, 0, 0).dollars).toBe(PLAN_DOLLARS)
  })

  it('charges what exceeds the included quantity', () => {
    const counts = { ...noCounts, hubRowsWritten: 60e6, hubRequests: 11e6 }
    expect(bill(counts, 10e9, 0).dollars).toBeCloseTo(PLAN_DOLLARS + 10 + 1.5 + 1)
  })

  it('counts twenty messages as one request', () => {
    expect(bill({ ...noCounts, hubMessages: 40e6 }, 0, 0).dollars).toBeCloseTo(PLAN_DOLLARS + 0.15)
  })

  it('charges log lines that are kept', () => {
    const { lines } = bill({ ...noCounts, logLines: 100e6 }, 0, 0)
    expect(lines.filter(({ what }) => what.startsWith('logs')).every(({ dollars }) => dollars > 0)).toBe(true)
  })
})
