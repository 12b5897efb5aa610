import { unstable_readConfig as readConfig } from 'wrangler'
import { describe, expect, it } from 'vitest'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { boundSpread, isRestartSpread, toRestartSpreadMs } from '#domain/router/presence.ts'
import { findOffenders } from '#tests/support/offenders.ts'

describe('RESTART_SPREAD_S', () => {
  it('is read from each setting, within its bounds', async () => {
    const offenders = await findOffenders([
      [undefined, 45_000],
      ['', 45_000],
      [' ', 45_000],
      ['soon', 45_000],
      ['NaN', 45_000],
      ['Infinity', 45_000],
      ['20', 20_000],
      ['7.5', 7_500],
      ['60', 60_000],
      ['61', 60_000],
      ['1e9', 60_000],
      ['3', 4_000],
      ['0', 4_000],
      ['-30', 4_000],
    ])((value, ms) => {
      expect(toRestartSpreadMs(value)).toBe(ms)
      expect(isRestartSpread(value)).toBe(value === undefined || Number(value) * 1000 === ms)
    })
    expect(offenders).toEqual([])
  })

  it('ends at the lease less the grace, so that no device is shown as offline before its turn', () => {
    expect(boundSpread(3_600_000)).toBe(PRESENCE.leaseMs - PRESENCE.graceMs)
  })

  it.each([undefined, 'staging', 'production'])('of wrangler.toml (%s) is within its bounds', (environment) => {
    const { vars } = readConfig({ config: 'wrangler.toml', ...(environment && { env: environment }) })
    expect(vars['RESTART_SPREAD_S']).toBeDefined()
    expect(isRestartSpread(vars['RESTART_SPREAD_S'])).toBe(true)
  })
})
