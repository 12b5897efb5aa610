import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** A line to a port of this machine on which bytes take a while; its bandwidth is not limited. */
export interface Line {
  readonly port: number
  /** One way, of what is sent from now on. */
  delayMs: number
  close(): void
}

export async function openLine(port: number, delayMs: number): Promise<Line> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port, noDelay: true })
    carry(near, far, line)
    carry(far, near, line)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const line: Line = {
    port: (server.address() as AddressInfo).port,
    delayMs,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return line
}

/** Each timer sends the oldest bytes, so that they keep their order whatever the delay becomes. */
function carry(from: Socket, to: Socket, line: Line): void {
  const queue: Buffer[] = []
  from.on('data', (bytes) => {
    queue.push(bytes)
    setTimeout(() => to.write(queue.shift() ?? Buffer.alloc(0)), line.delayMs)
  })
  from.on('close', () => setTimeout(() => to.destroy(), line.delayMs))
}
