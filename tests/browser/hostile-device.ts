import { heldCode } from '../../infra/agent/activation-code.ts'
import { systemClock } from '../../infra/agent/clock.ts'
import { openWebSocket } from '../../infra/agent/hub-socket.ts'
import { DeviceIdentity } from '../../infra/agent/identity.ts'
import { silentLog } from '../../infra/agent/log.ts'
import { memoryStore } from '../../infra/agent/store.ts'
import { type AgentFrame, type HubFrame, hubFrame } from '../../worker/contract/protocol.ts'

/** A device that speaks the protocol and writes what it likes into it. */
export interface HostileDevice {
  send(frame: AgentFrame): void
  /** The next frame of this kind, or the last one that came. */
  next<T extends HubFrame['t']>(kind: T): Promise<Extract<HubFrame, { t: T }>>
  close(): void
}

export async function connectHostileDevice(origin: string, serial: string, code: string): Promise<HostileDevice> {
  const identity = await DeviceIdentity.load({
    clock: systemClock,
    store: memoryStore(),
    log: silentLog,
    fetch,
    server: origin,
    serial,
    activationCode: heldCode(code),
  })
  const headers = await identity.authorize()
  const frames: HubFrame[] = []
  const waiting = new Set<() => void>()
  const opening = new EventTarget()
  const opened = new Promise<Event>((resolve) => opening.addEventListener('done', resolve, { once: true }))
  const socket = openWebSocket(`${origin.replace('http', 'ws')}/device/v1/connect`, headers, {
    opened: () => opening.dispatchEvent(new Event('done')),
    message: (text) => {
      const known = hubFrame.safeParse(text === 'pong' ? null : JSON.parse(text))
      if (!known.success) return
      frames.push(known.data)
      for (const look of waiting) look()
    },
    closed: () => {},
  })
  await opened
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    next: (kind) =>
      new Promise((done) => {
        const look = () => {
          const found = frames.findLast((frame) => frame.t === kind)
          if (!found) return
          waiting.delete(look)
          done(found as never)
        }
        waiting.add(look)
        look()
      }),
    close: () => socket.close(1000, 'bye'),
  }
}
