import { type Socket, connect, createServer } from 'node:net'
import { dialDirectory } from '../../agent/tunnel/dial-directory.ts'
import { openTunnelSocket } from '../../agent/tunnel/tunnel-socket.ts'
import { Tunnel } from '../../agent/tunnel/tunnel.ts'
import { systemClock } from '../../agent/clock.ts'

const HOST = '127.0.0.1'

/** The agent's end of a tunnel to a directory on this machine, so far away from the service. */
export async function openDistantTunnel(service: URL, directoryPort: number, roundTripMs: number) {
  const relay = await startRelay(Number(service.port), roundTripMs / 2)
  const targets = new Set([`${HOST}:${directoryPort}`])
  const lookup = async () => []
  await new Promise<void>((opened) => {
    void new Tunnel({
      clock: systemClock,
      directory: dialDirectory({ host: HOST, port: directoryPort }, { targets, lans: [] }, lookup),
      openSocket: (events) =>
        openTunnelSocket(
          `ws://${HOST}:${relay.port}/`,
          {},
          {
            ...events,
            opened: () => {
              events.opened()
              opened()
            },
          },
        ),
      ended: () => relay.close(),
    })
  })
}

/** Passes bytes on after `ms` in each direction, in order, at any rate. */
async function startRelay(port: number, ms: number): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const delay = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.setNoDelay(true)
    from.on('data', (bytes) => void setTimeout(() => to.write(bytes), ms))
    from.on('error', () => to.destroy())
    from.on('close', () => void setTimeout(() => to.destroy(), ms))
  }
  const server = createServer((device) => {
    const service = connect({ host: HOST, port })
    delay(device, service)
    delay(service, device)
  })
  await new Promise<void>((listening) => server.listen(0, HOST, listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  return {
    port: address.port,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
