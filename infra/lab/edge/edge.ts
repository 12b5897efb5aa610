import { type IncomingMessage, type OutgoingHttpHeaders, createServer, request } from 'node:http'
import type { Duplex } from 'node:stream'

/*
 * Edge of the lab: accepts requests and sockets as the platform's edge does, and passes them on over a unix socket with the
 * address of the peer, which the Worker believes.
 */

const ADDRESS_HEADER = 'cf-connecting-ip'
const IPV4_IN_IPV6 = /^::ffff:/

/** A local stack answers to names of this machine only. */
const HOST = 'localhost'

/** Headers for the service. A caller's own claim of an address is replaced. */
const headersFor = ({ headers, socket }: IncomingMessage): OutgoingHttpHeaders => ({
  ...headers,
  host: HOST,
  [ADDRESS_HEADER]: (socket.remoteAddress ?? '').replace(IPV4_IN_IPV6, ''),
})

const forward = (incoming: IncomingMessage, socketPath: string) =>
  request({
    socketPath,
    agent: false,
    ...(incoming.method !== undefined && { method: incoming.method }),
    ...(incoming.url !== undefined && { path: incoming.url }),
    headers: headersFor(incoming),
  })

/** Server that is not listening yet. While nothing answers behind the socket it answers 502. */
export function createEdge(socketPath: string) {
  const server = createServer((incoming, answer) => {
    const outgoing = forward(incoming, socketPath)
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
      response.on('error', () => answer.destroy())
    })
    outgoing.on('error', () => {
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end()
    })
    incoming.on('error', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  server.on('upgrade', (incoming: IncomingMessage, peer: Duplex, head: Buffer) => {
    const outgoing = forward(incoming, socketPath)
    outgoing.on('upgrade', (response, service, first) => {
      peer.write(responseHead(response))
      peer.write(first)
      service.write(head)
      join(peer, service)
    })
    outgoing.on('response', (response) => {
      peer.write(responseHead(response))
      response.pipe(peer)
    })
    outgoing.on('error', () => peer.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'))
    peer.on('error', () => outgoing.destroy())
    outgoing.end()
  })
  return server
}

function responseHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = Array.from(
    { length: rawHeaders.length / 2 },
    (_, n) => `${rawHeaders[2 * n]}: ${rawHeaders[2 * n + 1]}\r\n`,
  )
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`
}

/** Passes bytes on in both directions; the end of one is the end of the other. */
export function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
}
