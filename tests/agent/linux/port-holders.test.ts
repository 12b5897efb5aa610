import { expect, it } from 'vitest'
import { findForeign } from '#infra/agent/drivers/linux/openvpn/udp-ports.ts'

const OWN = [
  { pid: 40, port: 20_001 },
  { pid: 41, port: null },
]

it('a port of an own process is free, also where no process of another account can be seen', () => {
  const holders = [
    { port: 20_001, pid: 40, command: 'openvpn' },
    { port: 20_001, pid: null, command: '' },
  ]
  expect(findForeign(holders, OWN)).toBeNull()
})

it('another process is foreign, seen or not', () => {
  const seen = { port: 20_001, pid: 77, command: 'named' }
  const unseen = { port: 20_002, pid: null, command: '' }
  expect(findForeign([seen], OWN)).toBe(seen)
  expect(findForeign([unseen], OWN)).toBe(unseen)
  expect(findForeign([unseen], [])).toBe(unseen)
})
