import { expect, it } from 'vitest'
import { availabilityText, worstFirst } from '#pages/dashboard/cards/network-severity.ts'
import { createOverviewNetwork } from './overview-fixture.ts'

it('lists interrupted networks first, then suspended ones, then those with the most causes', () => {
  const networks = [
    createOverviewNetwork('never', { state: 'never' }),
    createOverviewNetwork('ok'),
    createOverviewNetwork('one', { state: 'partial', issues: 1 }),
    createOverviewNetwork('suspended', { state: 'suspended' }, { network_status: 0 }),
    createOverviewNetwork('unknown', { state: 'unknown' }),
    createOverviewNetwork('five', { state: 'partial', issues: 5 }),
    createOverviewNetwork('down', { state: 'down', issues: 1 }),
  ]
  expect(worstFirst(networks).map(({ network_number }) => network_number)).toEqual([
    'down',
    'suspended',
    'five',
    'one',
    'unknown',
    'ok',
    'never',
  ])
})

const DAY = 86_400_000
it.each([
  [1, DAY, '100%'],
  [0.99999, DAY, '99.9%'],
  [0.926, DAY - 60_000, '92.6%'],
  [0.9, DAY, '90.0%'],
  [0, DAY, '0.0%'],
  [1, 8 * 60_000, '100%（8 分）'],
  [0.5, 3 * 3_600_000, '50.0%（3 小时）'],
  [1, 20_000, '100%（不足 1 分）'],
])('availability %j of %i ms reads %s', (availability, availability_ms, text) => {
  expect(availabilityText({ availability, availability_ms })).toBe(text)
})
