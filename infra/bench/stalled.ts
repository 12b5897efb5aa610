import { WebSocket } from 'ws'
import { PING } from '#contract/kernel/protocol.ts'
import { signIn } from '#infra/demo/load.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { createAcknowledger } from './acknowledge.ts'
import { openDevice } from './device.ts'
import { type Finding, print } from './report.ts'
import type { Stack } from './stack.ts'
import { routerApi } from '#contract/router/index.ts'

const INTERFACES = Array.from({ length: 64 }, (_, i) => `eth${i}`)
const TICK_MS = 600
const TICKS = 100
const SETTLE_MS = 2_000
const PING_MS = 20_000
const BUDGET_KIB = 256

/**
 * A viewer that stops reading while its socket stays open. Sent and unread bytes are buffered in the hub's memory, so
 * the bytes that are on their way are counted at the reader, once it reads again.
 */
export async function benchStalled(stack: Stack): Promise<readonly Finding[]> {
  const { origin } = stack
  const token = await signIn(origin, 'demo02')
  const device = await openDevice(stack, token, INTERFACES)
  const reading = await openCountedViewer(origin, token, device.serial)
  const stalled = await openCountedViewer(origin, token, device.serial)
  device.sendCounters()
  await pause(SETTLE_MS)
  stalled.stop()
  const before = { reading: reading.bytes(), stalled: stalled.bytes() }
  for (let tick = 0; tick < TICKS; tick++) {
    device.sendCounters()
    await pause(TICK_MS)
  }
  const sentToReader = reading.bytes() - before.reading
  device.close()
  await stalled.drain()
  const waiting = stalled.bytes() - before.stalled
  reading.close()
  stalled.close()
  const findings: Finding[] = [
    {
      what: 'waiting for the stalled viewer',
      value: waiting / 1024,
      unit: 'KiB',
      budget: BUDGET_KIB,
      must: 'stay below',
    },
    { what: 'naive send: all that a reading viewer got', value: sentToReader / 1024, unit: 'KiB' },
  ]
  print(`A viewer that stops reading for ${(TICKS * TICK_MS) / 1000} s, ${INTERFACES.length} interfaces`, findings)
  return findings
}

async function openCountedViewer(origin: string, token: string, routerName: string) {
  const request = { kind: 'router', router_name: routerName } as const
  const { ticket } = await callEndpoint(origin, '/api/v1', routerApi.trafficTicket, request, token)
  const url = `${origin.replace('http', 'ws')}/api/v1/router/traffic?router_name=${routerName}&ticket=${ticket}`
  const socket = new WebSocket(url, { origin })
  let bytes = 0
  let isStalled = false
  const acknowledge = createAcknowledger((text) => !isStalled && socket.send(text))
  socket.on('message', (data: Buffer) => {
    bytes += data.length
    const text = data.toString()
    if (text.startsWith('{')) acknowledge(JSON.parse(text) as { type: string; seq: number })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  const pings = setInterval(() => socket.send(PING), PING_MS)
  return {
    bytes: () => bytes,
    stop: () => {
      isStalled = true
      socket.pause()
    },
    drain: async () => {
      socket.resume()
      await pause(SETTLE_MS)
    },
    close: () => {
      clearInterval(pings)
      socket.terminate()
    },
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
