import { expect, it } from 'vitest'
import { isEntryDisabled } from '#domain/ldap/disabled.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const NOW = Date.UTC(2026, 10, 20, 8)
/** 100 ns since 1601, as Active Directory writes it. */
const fileTime = (at: number): string => ((BigInt(at) + 11_644_473_600_000n) * 10_000n).toString()
const day = (at: number): string => String(Math.floor(at / 86_400_000))

it('an entry is disabled or not by the attributes of each kind of server', async () => {
  const offenders = await findOffenders<[string, string, boolean]>([
    ['useraccountcontrol', '512', false],
    ['useraccountcontrol', '514', true],
    ['useraccountcontrol', '66050', true], // password never expires
    ['useraccountcontrol', '66048', false],
    ['useraccountcontrol', '-2147483646', true],
    ['useraccountcontrol', 'two', false],
    ['accountexpires', '0', false],
    ['accountexpires', '9223372036854775807', false],
    ['accountexpires', fileTime(NOW - 1), true],
    ['accountexpires', fileTime(NOW + 60_000), false],
    ['accountexpires', '-1', false],
    ['pwdaccountlockedtime', '000001010000Z', true],
    ['pwdaccountlockedtime', '20261120075900Z', false], // after wrong passwords, for a while
    ['shadowexpire', '-1', false],
    ['shadowexpire', '0', true],
    ['shadowexpire', day(NOW), true],
    ['shadowexpire', String(Number(day(NOW)) + 1), false],
    ['shadowexpire', '', false],
    ['nsaccountlock', 'TRUE', true],
    ['nsaccountlock', 'true', true],
    ['nsaccountlock', 'FALSE', false],
  ])((name, value, isDisabled) => {
    expect(isEntryDisabled(new Map([[name, [value]]]), NOW)).toBe(isDisabled)
  })
  expect(offenders).toEqual([])
})

it('an entry that says nothing is not disabled', () => {
  expect(isEntryDisabled(new Map(), NOW)).toBe(false)
})
