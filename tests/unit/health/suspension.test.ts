import { expect, it } from 'vitest'
import { evaluateNetwork } from '#domain/health/network.ts'
import { type NetworkContract, contractOf, withSuspension } from '#domain/health/suspension.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const suspendedAt = Date.parse('2026-07-01T04:00:00Z')
const SUSPENDED: NetworkContract = { isSuspended: true, suspendedAt, isWithdrawn: false }
const { health } = evaluateNetwork([], [])

it('a suspended network says the date on which its devices lose the configuration, before its own trouble', async () => {
  const [ok, down] = [
    { ...health, state: 'ok', issues: 0, cause: '' } as const,
    { ...health, issues: 3, cause: '中心点离线' },
  ]
  const offenders = await findOffenders<[string, typeof health, NetworkContract, unknown[]]>([
    ['in use', ok, { ...SUSPENDED, isSuspended: false }, ['ok', 0, '', null]],
    ['well', ok, SUSPENDED, ['suspended', 1, '07-16 起移除设备配置', suspendedAt]],
    ['in trouble', down, SUSPENDED, ['suspended', 3, '07-16 起移除设备配置；中心点离线', suspendedAt]],
    ['withdrawn', down, { ...SUSPENDED, isWithdrawn: true }, ['suspended', 3, '设备配置已移除', suspendedAt]],
    ['undated', ok, { ...SUSPENDED, suspendedAt: null }, ['suspended', 1, '停用满 15 天移除设备配置', null]],
  ])((_, before, contract, expected) => {
    const { state, issues, cause, since } = withSuspension(before, contract)
    expect([state, issues, cause, since]).toEqual(expected)
  })
  expect(offenders).toEqual([])
})

it('the row of a network says if it is in use', () => {
  expect(contractOf({ status: 0, suspendedAt: 5, withdrawn: 0 })).toEqual({ ...SUSPENDED, suspendedAt: 5 })
  expect(contractOf({ status: 1, suspendedAt: null, withdrawn: 0 }).isSuspended).toBe(false)
})
