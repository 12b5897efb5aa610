import { type Socket, connect, createServer } from 'node:net'
import { type SecureContext, TLSSocket, createSecureContext } from 'lemon-tls'
import { type KeyPair, keyPem } from './certificates.ts'
import { type Listening, listen, serveLdap } from './fake-ldap.ts'
import type { Pki } from './pki.ts'

/** A server that presents a certificate, but may hold another key: OpenSSL refuses to be one. */
function startWithKey(
  version: 'TLSv1.2' | 'TLSv1.3',
  { rsa }: Pki,
  key: KeyPair,
  onRequest: (socket: TLSSocket) => void = () => {},
): Promise<Listening> {
  const context = createSecureContext({ key: keyPem(key), cert: rsa.pem })
  return listen(
    createServer((tcp) => {
      tcp.on('error', () => {})
      const socket = new TLSSocket(tcp, {
        isServer: true,
        minVersion: version,
        maxVersion: version,
        SNICallback: (_: string, done: (error: null, found: SecureContext) => void) => done(null, context),
      })
      socket.on('error', () => tcp.destroy())
      socket.on('secureConnect', () => {
        socket.on('data', () => onRequest(socket))
        serveLdap(socket)
      })
    }),
  )
}

/** A relay that changes what the server sends. */
function startRelay(
  to: number,
  change: (socket: Socket) => (data: Buffer) => void | Promise<void>,
): Promise<Listening> {
  return listen(
    createServer((client) => {
      const server = connect(to, '127.0.0.1')
      const send = change(client)
      let last: Promise<void> = Promise.resolve()
      client.pipe(server)
      client.setNoDelay(true)
      server.on('data', (data) => {
        last = last.then(() => send(data))
      })
      server.on('end', () => void last.then(() => client.end()))
      server.on('error', () => client.destroy())
      client.on('error', () => server.destroy())
      client.on('close', () => server.destroy())
    }),
  )
}

const FROM = 60_000 // the handshake and the first entries pass

/** Flips one bit in each chunk of the listing. */
const flipBits = (socket: Socket) => {
  let seen = 0
  return (data: Buffer) => {
    seen += data.length
    const changed = Buffer.from(data)
    if (seen > FROM) changed[data.length >> 1] = (changed[data.length >> 1] ?? 0) ^ 1
    socket.write(changed)
  }
}

/** Ends the connection in the middle of the listing, as if the server had. */
const truncate = (socket: Socket) => {
  let seen = 0
  return (data: Buffer) => {
    seen += data.length
    if (seen > FROM) socket.end()
    else socket.write(data)
  }
}

/** One to five bytes at a time. */
const dribble = (socket: Socket) => async (data: Buffer) => {
  for (let from = 0, size = 1; from < data.length; from += size) {
    size = 1 + ((from * 7) % 5)
    socket.write(data.subarray(from, from + size))
    if (from % 64 < 5) await new Promise((resolve) => setImmediate(resolve))
  }
}

export async function startHostileTls(pki: Pki, honest: { readonly rsa12: number; readonly rsa13: number }) {
  const started = {
    wrongKey13: await startWithKey('TLSv1.3', pki, pki.strangerKey),
    wrongKey12: await startWithKey('TLSv1.2', pki, pki.strangerKey),
    rightKey13: await startWithKey('TLSv1.3', pki, pki.rsa.key),
    rightKey12: await startWithKey('TLSv1.2', pki, pki.rsa.key),
    /** Changes the keys of both sides with each request. */
    keyUpdate: await startWithKey('TLSv1.3', pki, pki.rsa.key, (socket) => socket.rekeyBoth()),
    flipped13: await startRelay(honest.rsa13, flipBits),
    flipped12: await startRelay(honest.rsa12, flipBits),
    truncated13: await startRelay(honest.rsa13, truncate),
    truncated12: await startRelay(honest.rsa12, truncate),
    dribbled13: await startRelay(honest.rsa13, dribble),
    dribbled12: await startRelay(honest.rsa12, dribble),
    mirror: await listen(createServer((socket) => void socket.on('error', () => {}).pipe(socket))),
    silent: await listen(createServer((socket) => void socket.on('error', () => {}))),
    http: await listen(
      createServer((socket) => void socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ),
  }
  return {
    ports: Object.fromEntries(Object.entries(started).map(([name, { port }]) => [name, port])) as Record<
      keyof typeof started,
      number
    >,
    close: async () => void (await Promise.all(Object.values(started).map(({ close }) => close()))),
  }
}
