import { chmodSync } from 'node:fs'
import { type Socket, connect, createServer } from 'node:net'
import { join } from './edge.ts'

/* Relay on the machine's own loopback: unix sockets pass network namespaces, so that the edge reaches the local stack. */

export interface Relay {
  close(): Promise<void>
}

/** @param origin address of the local stack, which may be away */
export async function startRelay(socketPath: string, origin: string): Promise<Relay> {
  const { hostname, port } = new URL(origin)
  const sockets = new Set<Socket>()
  const server = createServer((edge) => {
    const service = connect({ host: hostname, port: Number(port) })
    for (const socket of [edge, service]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    join(edge, service)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  chmodSync(socketPath, 0o600)
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
