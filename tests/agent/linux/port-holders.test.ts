import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { findForeign, findPortHolders } from '#infra/agent/drivers/linux/openvpn/udp-ports.ts'

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

it('the holder of a port is found among all processes, whichever are looked at first', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  try {
    for (const likely of [[], [process.pid], [1, 2 ** 22 + 1]])
      expect(await findPortHolders(new Set([port]), likely)).toEqual([
        { port, pid: process.pid, command: expect.any(String) },
      ])
    expect(await findPortHolders(new Set([port === 1 ? 2 : 1]), [process.pid])).toEqual([])
  } finally {
    socket.close()
  }
})
