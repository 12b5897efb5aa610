import { setTimeout as sleep } from 'node:timers/promises'
import { PING } from '#contract/kernel/protocol.ts'
import { signIn } from '#infra/demo/load.ts'
import { openDevice, openViewer } from './live-clients.ts'
import { type Finding, print } from './report.ts'
import type { Stack } from './stack.ts'

const INTERFACES = Array.from({ length: 64 }, (_, i) => `eth${i}`)
const TICK_MS = 600
const TICKS = 100
const SETTLE_MS = 2_000
const PING_MS = 20_000
const BUDGET_KIB = 256

/**
 * Bench of a stalled viewer, which stops reading while its socket stays open. Sent and unread bytes are buffered in the
 * hub's memory, so the reader counts them once it reads again.
 */
export async function benchStalled(stack: Stack): Promise<readonly Finding[]> {
  const { origin } = stack
  const token = await signIn(origin, 'demo02')
  const device = await openDevice(stack, 'demo02', INTERFACES)
  const reading = await openCountedViewer(origin, token, device.serial)
  const stalled = await openCountedViewer(origin, token, device.serial)
  device.sendCounters()
  await sleep(SETTLE_MS)
  stalled.stop()
  const before = { reading: reading.bytes(), stalled: stalled.bytes() }
  for (let tick = 0; tick < TICKS; tick++) {
    device.sendCounters()
    await sleep(TICK_MS)
  }
  const sentToReader = reading.bytes() - before.reading
  device.close()
  stalled.resume()
  await sleep(SETTLE_MS)
  const value = (stalled.bytes() - before.stalled) / 1024
  for (const viewer of [reading, stalled]) viewer.close()
  const findings: Finding[] = [
    { what: 'waiting for the stalled viewer', value, unit: 'KiB', budget: BUDGET_KIB, must: 'stay below' },
    { what: 'naive send: all that a reading viewer got', value: sentToReader / 1024, unit: 'KiB' },
  ]
  return print(
    `A viewer that stops reading for ${(TICKS * TICK_MS) / 1000} s, ${INTERFACES.length} interfaces`,
    findings,
  )
}

async function openCountedViewer(origin: string, token: string, router_name: string) {
  let [bytes, isStalled] = [0, false]
  const socket = await openViewer(
    origin,
    token,
    { kind: 'router', router_name },
    (text) => (bytes += Buffer.byteLength(text)),
    (own, text) => !isStalled && own.send(text),
  )
  const pings = setInterval(() => socket.send(PING), PING_MS)
  return {
    bytes: () => bytes,
    stop: () => {
      isStalled = true
      socket.pause()
    },
    resume: () => socket.resume(),
    close: () => {
      clearInterval(pings)
      socket.terminate()
    },
  }
}
