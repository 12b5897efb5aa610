import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** Way of the bytes: `up` from the device to the server. */
type Direction = 'up' | 'down'

export interface TcpProxy {
  readonly url: string
  /** Holds the bytes of one direction back while all sockets stay open, as a line that loses packets one way. */
  hold(direction: Direction): void
  /** Delivers what was held back, as retransmissions do. */
  release(): void
  /** Resets every connection. */
  cut(): void
  close(): Promise<void>
}

/** A TCP proxy on loopback whose two directions can fail one by one. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const held = new Set<Direction>()
  const waiting: (() => void)[] = []
  const sockets = new Set<Socket>()
  const pass = (direction: Direction, deliver: () => void) => {
    if (held.has(direction)) waiting.push(deliver)
    else deliver()
  }
  const pump = (from: Socket, to: Socket, direction: Direction) => {
    from.on('data', (bytes) => pass(direction, () => to.writable && to.write(bytes)))
    from.on('end', () => pass(direction, () => to.end()))
    from.on('error', () => pass(direction, () => to.destroy()))
    from.on('close', () => sockets.delete(from))
    sockets.add(from)
  }
  const server = createServer({ allowHalfOpen: true }, (device) => {
    const service = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    pump(device, service, 'up')
    pump(service, device, 'down')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (direction) => held.add(direction),
    release: () => {
      held.clear()
      for (const deliver of waiting.splice(0)) deliver()
    },
    cut,
    close: async () => {
      cut()
      await new Promise((done) => server.close(done))
    },
  }
}
