import { WebSocket } from 'ws'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { DeviceIdentity } from '#infra/agent/hub/identity.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { type AgentFrame, type HubFrame, PING, hubFrame } from '#contract/kernel/protocol.ts'

const PING_MS = 20_000

/** A device that speaks the protocol, and whose frames the test writes. */
export interface DeviceSocket {
  send(frame: AgentFrame): void
  /** The next frame of this kind, or the last one that came. */
  next<T extends HubFrame['t']>(kind: T): Promise<Extract<HubFrame, { t: T }>>
  close(): void
}

interface DeviceOptions {
  readonly serial: string
  readonly code: string
  /** Address that the service sees. */
  readonly address?: string
  readonly onFrame?: (frame: HubFrame) => void
}

/** Registers the key of a claimed device and connects it. */
export async function connectDevice(
  origin: string,
  { serial, code, address, onFrame = () => {} }: DeviceOptions,
): Promise<DeviceSocket> {
  const identity = await DeviceIdentity.load({
    clock: systemClock,
    store: memoryStore(),
    log: silentLog,
    fetch,
    server: () => origin,
    serial,
    activationCode: heldCode(code),
  })
  const headers = {
    ...(await identity.authorize()),
    ...(address !== undefined && { 'cf-connecting-ip': address }),
  }
  const frames: HubFrame[] = []
  const waiting = new Set<() => void>()
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/device/v1/connect`, { headers })
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    const known = hubFrame.safeParse(text === 'pong' ? null : JSON.parse(text))
    if (!known.success) return
    frames.push(known.data)
    onFrame(known.data)
    for (const checkFrames of waiting) checkFrames()
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const pings = setInterval(() => socket.send(PING), PING_MS)
  socket.once('close', () => clearInterval(pings))
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    next: (kind) =>
      new Promise((done) => {
        const checkFrames = () => {
          const found = frames.findLast((frame) => frame.t === kind)
          if (!found) return
          waiting.delete(checkFrames)
          done(found as never)
        }
        waiting.add(checkFrames)
        checkFrames()
      }),
    close: () => socket.close(1000, 'bye'),
  }
}
