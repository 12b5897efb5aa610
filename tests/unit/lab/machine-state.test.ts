import { expect, it } from 'vitest'
import { compareMachineStates, isCompared } from '#infra/lab/bed/machine-state.ts'

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

it('folders that tools make at their first use are no difference, and neither is what runs keep in them', () => {
  const made = ['/run/netns', '/run/netns/netloom-lab-x-rA', '/var/tmp/frr', '/var/tmp/frr/bgpd.1', '/run/mount']
  const left = ['/run/netns2', '/run/mount/utab', '/run/netloom-x', '/var/tmp/frr.log', '/var/lib/frr']
  expect([...made, ...left].filter(isCompared)).toEqual(left)
})
