import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** Relays a port of this machine; bytes take a while either way, in their order. Bandwidth is not limited. */
export async function openDelayedLine(target: number, delayMs: number) {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: target, noDelay: true })
    carry(near, far, delayMs)
    carry(far, near, delayMs)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function carry(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (bytes) => setTimeout(() => to.write(bytes), delayMs))
  from.on('close', () => setTimeout(() => to.destroy(), delayMs))
}
