import { type Socket, connect, createServer as createTcpServer } from 'node:net'
import { createServer } from 'node:http'
import { type Listening, listen } from './fake-ldap.ts'

interface Controlled {
  readonly ldapsPort: number
  /** Changes entries as the administrator: LDIF with changetype (RFC 2849). */
  modify(ldif: string): Promise<void>
}

/**
 * HTTP in front of a directory, for tests inside workerd: they change entries, open a relay of their own (the answer is its
 * port), and cut it.
 */
export async function startControl({ ldapsPort, modify }: Controlled) {
  const relays = new Map<string, Relay>()
  const answer = async (path: string, body: string): Promise<string> => {
    if (path === '/relay') {
      const relay = await startRelay(ldapsPort)
      relays.set(`/cut/${relay.port}`, relay)
      return String(relay.port)
    }
    const relay = relays.get(path)
    if (relay) relay.cut()
    else await modify(body)
    return 'ok'
  }
  const control = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        answer(request.url ?? '/', Buffer.concat(chunks).toString()).then(
          (text) => response.end(text),
          (error: unknown) => response.writeHead(500).end(String(error)),
        )
      })
    }),
  )
  return {
    controlUrl: `http://127.0.0.1:${control.port}`,
    close: async () => void (await Promise.all([control, ...relays.values()].map(({ close }) => close()))),
  }
}

interface Relay extends Listening {
  cut(): void
}

/** Passes bytes on; `cut` ends all connections. */
async function startRelay(to: number): Promise<Relay> {
  const clients = new Set<Socket>()
  const relay = await listen(
    createTcpServer((client) => {
      const server = connect(to, '127.0.0.1')
      for (const socket of [client, server]) socket.setNoDelay(true)
      client.pipe(server).pipe(client)
      clients.add(client)
      client.on('error', () => server.destroy())
      server.on('error', () => client.destroy())
      client.on('close', () => {
        clients.delete(client)
        server.destroy()
      })
    }),
  )
  return {
    ...relay,
    cut: () => {
      for (const client of clients) client.destroy()
    },
  }
}
