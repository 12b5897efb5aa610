import { expect, it } from 'vitest'
import { compareMachineStates } from '#infra/lab/bed/machine-state.ts'

const BEFORE = { addresses: ['lo', 'eth0'], rules: ['0', '32766'], sysctls: ['ip_forward = 0'] }

it('a machine that is as it was has no differences, in whatever order it lists them', () => {
  expect(compareMachineStates(BEFORE, { ...BEFORE, addresses: ['eth0', 'lo'] })).toEqual([])
})

it('what came, what went and what changed is named with its topic', () => {
  const after = { addresses: ['lo', 'eth0', 'ov1r'], rules: ['0'], sysctls: ['ip_forward = 1'] }
  expect(compareMachineStates(BEFORE, after)).toEqual([
    'addresses: + ov1r',
    'rules: - 32766',
    'sysctls: - ip_forward = 0',
    'sysctls: + ip_forward = 1',
  ])
})
