import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, request as httpRequest } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { PONG } from '#contract/kernel/protocol.ts'
import { opsApi } from '#contract/ops/index.ts'
import { SELF_TEST_SOCKET_PATH } from '#contract/ops/endpoints/self-test.ts'
import type { RecordedAccount } from './platform.ts'

/*
 * Server that stands for the deployed product in a walk: it answers at the host names of each environment whose Worker runs,
 * takes the operator's calls by the contract, and records them.
 */

export interface RecordedProduct {
  readonly port: number
  /** Operator's calls that were answered: `device/provision`. */
  readonly calls: string[]
  /** Calls that the product would have refused, with the reason. */
  readonly refused: string[]
  close(): Promise<void>
}

interface Given {
  readonly zone: string
  /** Account as the recorder of wrangler left it. */
  readonly account: () => RecordedAccount
  /** Operator's token of an environment, from the secrets that were uploaded. */
  readonly token: (environment: string) => string
  readonly libsqlUrl: string
}

const CERTIFICATE = {
  cert: readFileSync('tests/support/fakes/localhost-cert.pem'),
  key: readFileSync('tests/support/fakes/localhost-key.pem'),
}
const CHARACTERS = /^(staging-)?(console|devices|ops|db)$/

export async function startProduct(given: Given): Promise<RecordedProduct> {
  const [calls, refused]: [string[], string[]] = [[], []]
  const server = createServer(CERTIFICATE, (incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex) => {
    const isOpen = siteOf(incoming)?.role === 'ops' && incoming.url === `/ops/v1/${SELF_TEST_SOCKET_PATH}`
    if (isOpen) openSocket(incoming, socket)
    else socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  /** Environment and role of a request's host; null for a host without a route. */
  function siteOf({ headers: { host = '' } }: IncomingMessage) {
    const [, prefix = '', role = ''] = host.endsWith(`.${given.zone}`)
      ? (CHARACTERS.exec(host.slice(0, -given.zone.length - 1)) ?? [])
      : []
    const environment = prefix === '' ? 'production' : 'staging'
    const shares = given.account().workers[environment]?.shares ?? {}
    const [live] = Object.entries(shares).toSorted(([, a], [, b]) => b - a)
    return role === '' ? null : { environment, role, release: live?.[0] ?? null, versions: Object.keys(shares) }
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const site = siteOf(incoming)
    if (site?.role === 'db') return forward(incoming, response)
    if (!site?.release) return void response.writeHead(530).end('error code: 1016')
    const url = new URL(incoming.url ?? '/', 'https://host')
    if (url.pathname.startsWith('/ops/v1/'))
      return answerOperator(incoming, response, url, { ...site, release: site.release })
    if (url.pathname.startsWith('/device/')) return envelope(response, 2003, '设备凭证无效')
    if (url.pathname === '/api/v1/site/config') return envelope(response, 200, '', { title: '智能组网控制台' })
    if (url.pathname.endsWith('.js')) return void response.setHeader('content-type', 'text/javascript').end('1')
    response.setHeader('content-type', 'text/html').end('<script type="module" src="/assets/main-1.js"></script>')
  }

  async function answerOperator(
    incoming: IncomingMessage,
    response: ServerResponse,
    url: URL,
    {
      environment,
      role,
      release,
      versions,
    }: { environment: string; role: string; release: string; versions: string[] },
  ): Promise<void> {
    const path = url.pathname.slice('/ops/v1/'.length)
    const body = await buffer(incoming)
    const refuse = (code: number, msg: string) => {
      refused.push(`${path}: ${msg}`)
      return envelope(response, code, msg)
    }
    if (role !== 'ops') return refuse(404, '请求的接口不存在')
    if (incoming.headers.authorization !== `Bearer ${given.token(environment)}`) return refuse(2003, '运营凭证无效')
    const call = Object.values<Endpoint>(opsApi).find((one) => one.path === path && one.method === incoming.method)
    if (!call) return refuse(404, '请求的接口不存在')
    const isJson = incoming.headers['content-type']?.startsWith('application/json') === true
    const input =
      isJson && body.length > 0 ? (JSON.parse(body.toString()) as unknown) : Object.fromEntries(url.searchParams)
    const parsed = call.input.safeParse(input)
    const isForm = incoming.headers['content-type']?.startsWith('multipart/') === true
    if (!parsed.success && !isForm) return refuse(422, JSON.stringify(parsed.error.issues))
    calls.push(path)
    const asked = /"([0-9a-f-]+)"/.exec(String(incoming.headers['cloudflare-workers-version-overrides'] ?? ''))?.[1]
    const releases = versions.map((version) => ({ ...CALM, release: version }))
    const known = { ...KNOWN, release: asked ?? release, hub_release: asked ?? release, releases }
    envelope(response, 200, '', sampleOf(z.toJSONSchema(call.output, { unrepresentable: 'any' }) as Schema, known))
  }

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url } = incoming
    incoming.pipe(
      httpRequest(`${given.libsqlUrl}${url}`, { method, headers }, (answered) => {
        response.writeHead(answered.statusCode ?? 502, answered.headers)
        answered.pipe(response)
      }),
    )
  }

  return {
    port: (server.address() as AddressInfo).port,
    calls,
    refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const envelope = (response: ServerResponse, code: number, msg: string, data: unknown = null): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify({ code, msg, data }))

/** Values that a reader copies from an answer. */
const KNOWN = {
  serial: 'NL-7K3M9P2QXW',
  activation_code: 'ABCD-EFGH-JKLM',
  claim_path: '/claim#NL-7K3M9P2QXW.ABCDEFGHJKLM',
  key: `${'0'.repeat(64)}.png`, // of an image of the handbook
}

/** Counters of a release without faults. */
const CALM = {
  calls: 500,
  faults: 0,
  refusals: 0,
  overloads: 0,
  connects: 0,
  database_calls: 500,
  database_ms: 5000,
  reasons: {},
}

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A value of a schema: the known one by its name, null where it may be null, one choice, nothing in lists. */
function sampleOf(schema: Schema, known: Readonly<Record<string, unknown>>, name = ''): unknown {
  if (name in known) return known[name]
  if (schema.anyOf)
    return schema.anyOf.some(({ type }) => type === 'null') ? null : sampleOf(schema.anyOf[0] ?? {}, known)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([key, one]) => [key, sampleOf(one, known, key)]))
  return { array: [], string: 'x', integer: 1, number: 1, boolean: true, object: {} }[schema.type ?? ''] ?? null
}

/** Accepts a WebSocket and answers its first frame as a hub answers a ping. */
function openSocket({ headers }: IncomingMessage, socket: Duplex): void {
  const accept = createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? randomUUID()}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.on('error', () => {})
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  socket.once('data', () => {
    socket.write(Buffer.concat([Buffer.from([0x81, PONG.length]), Buffer.from(PONG)]))
    socket.once('data', () => socket.end())
  })
}
