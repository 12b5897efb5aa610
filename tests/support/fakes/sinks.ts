import { randomInt } from 'node:crypto'
import { type IncomingMessage, createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'

/** Records of a name, by how often it was looked up (A and AAAA together); the last ones stay. */
export type Zone = Readonly<Record<string, readonly (readonly DnsRecord[])[]>>
interface DnsRecord {
  readonly type: number
  readonly data: string
}

/**
 * TCP servers on loopback where no guarded call may arrive; they count connections. Their IPv4 address is one of 127/8 that
 * no other process uses, so that port 8443, which the rules allow, is free. Beside them a resolver (JSON over HTTP) whose
 * zone a test sets, and a public server that redirects to a sink.
 */
export async function startSinks() {
  const host = `127.${randomInt(64, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
  let connections = 0
  let questions = 0
  let zone: Zone = {}
  const lookups = new Map<string, number>()
  const sinks = [createSink(), createSink(), createSink(), createSink(), createSink()]
  function createSink() {
    return createServer((socket) => {
      connections++
      socket.destroy()
    })
  }
  const [allowed, other, six, https, http] = sinks
  await listen(allowed!, host, 8443)
  const port = await listen(other!, host, 0)
  await listen(six!, '::1', port).catch(() => 0) // a machine without IPv6
  await listen(https!, host, 443).catch(() => 0) // not root
  await listen(http!, host, 80).catch(() => 0)

  const answer = (query: URLSearchParams) => {
    questions++
    const name = `${query.get('name')}`
    const asked = (lookups.get(name) ?? 0) + 1
    lookups.set(name, asked)
    const rounds = zone[name] ?? []
    return { Status: 0, Answer: rounds[Math.min(Math.ceil(asked / 2), rounds.length) - 1] ?? [] }
  }
  const control = createHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const status = Number(/^\/redirect\/[^/]+\/(\d{3})$/.exec(pathname)?.[1])
    if (status) return void response.writeHead(status, { location: `http://${host}:${port}/` }).end()
    if (pathname === '/dns-query') return void response.end(JSON.stringify(answer(searchParams)))
    if (pathname === '/zone') {
      return void readBody(request).then((body) => {
        zone = JSON.parse(body) as Zone
        response.end('{}')
      })
    }
    response.end(JSON.stringify({ connections, questions }))
  })
  await listen(control, '127.0.0.1', 0)
  return {
    url: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
    host,
    port,
    close: () => {
      for (const server of [control, ...sinks]) server.close()
    },
  }
}

function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
