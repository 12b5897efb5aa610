import { connect } from 'cloudflare:sockets'
import { HUB_HEADER, type TunnelIdentity } from '#contract/kernel/hubs.ts'
import { TUNNEL, type TunnelControl, type TunnelFailure, parseTunnelControl } from '#contract/kernel/tunnel-frames.ts'
import { Credit } from '#domain/ldap/credit.ts'
import { type DeviceSocket, isFrame } from '#tests/durable/support.ts'
import { directoryStub } from './directory.ts'

/** The upgrade of a tunnel's socket as the Worker hands it on. */
export const openTunnel = (hub: string, identity: TunnelIdentity): Promise<Response> =>
  directoryStub(hub).fetch(
    new Request('https://hub/', {
      headers: { upgrade: 'websocket', [HUB_HEADER.tunnel]: JSON.stringify(identity) },
    }),
  )

export interface Carried {
  /** The device loses its line. */
  cut(): void
}

/** Connects each `tunnel` frame of a device to that port of this machine, until the test stops it. */
export function carryTunnels(
  device: DeviceSocket,
  target: { readonly hub: string; readonly deviceId: number },
  port: number,
) {
  const carried: Carried[] = []
  const state = { stopped: false, afterBytes: Infinity }
  void (async () => {
    for (let seen = 0; !state.stopped;) {
      const frame = await device.next(isFrame('tunnel'), seen).catch(() => null)
      if (frame === null) continue
      seen = device.frames.indexOf(frame) + 1
      void carry(frame.ticket, target, port, state).then((one) => carried.push(one))
    }
  })()
  return {
    carried,
    /** Every tunnel is cut once it has carried so many bytes of the directory. */
    cutAfter: (bytes: number) => void (state.afterBytes = bytes),
    stop: () => void (state.stopped = true),
  }
}

async function carry(
  ticket: string,
  { hub, deviceId }: { readonly hub: string; readonly deviceId: number },
  port: number,
  state: { readonly afterBytes: number },
): Promise<Carried> {
  const { webSocket } = await openTunnel(hub, { deviceId, ticket })
  if (!webSocket) throw new Error('the hub did not take the tunnel')
  webSocket.binaryType = 'arraybuffer'
  webSocket.accept()
  const tcp = connect({ hostname: '127.0.0.1', port })
  const writer = tcp.writable.getWriter()
  const credit = new Credit(TUNNEL)
  const say = (control: TunnelControl) => webSocket.send(JSON.stringify(control))
  let wake = () => {}
  const cut = () => {
    webSocket.close(1011, 'cut')
    void tcp.close().catch(() => {})
    wake()
  }
  webSocket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') {
      const control = parseTunnelControl(data)
      if (control?.t === 'credit') credit.credited(control.bytes)
      return wake()
    }
    const bytes = new Uint8Array(data as ArrayBuffer)
    void writer.write(bytes).then(
      () => {
        const due = credit.consume(bytes.length)
        if (due > 0) say({ t: 'credit', bytes: due })
      },
      () => {},
    )
    credit.receive(bytes.length)
  })
  webSocket.addEventListener('close', () => void tcp.close().catch(() => {}))
  await tcp.opened
  say({ t: 'opened' })
  const pump = async () => {
    let total = 0
    for await (const chunk of tcp.readable as ReadableStream<Uint8Array>) {
      for (let from = 0; from < chunk.length;) {
        const size = credit.sendable(Math.min(chunk.length - from, TUNNEL.frameBytes))
        if (size === 0) await new Promise<void>((resolve) => (wake = resolve))
        else {
          webSocket.send(chunk.slice(from, from + size))
          credit.sent(size)
          from += size
          total += size
          if (total > state.afterBytes) return cut()
        }
      }
    }
    webSocket.close(1000, 'done')
  }
  void pump().catch(() => {})
  return { cut }
}

/** A device that answers a tunnel with why it did not reach the directory. */
export async function failTunnel(
  device: DeviceSocket,
  { hub, deviceId }: { readonly hub: string; readonly deviceId: number },
  reason: TunnelFailure,
): Promise<void> {
  const { ticket } = await device.next(isFrame('tunnel'))
  const { webSocket } = await openTunnel(hub, { deviceId, ticket })
  webSocket?.accept()
  webSocket?.send(JSON.stringify({ t: 'failed', reason } satisfies TunnelControl))
}
