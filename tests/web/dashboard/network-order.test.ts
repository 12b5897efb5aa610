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

it.each([
  [1, '100%'],
  [0.99999, '99.99%'],
  [0.25, '25%'],
  [0, '0%'],
  [null, '—'],
])('availability of %j reads %s', (share, text) => {
  expect(availabilityText(share)).toBe(text)
})
