import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createEdge } from '#infra/lab/edge/edge.ts'
import { type Relay, startRelay } from '#infra/lab/edge/relay.ts'

const folder = mkdtempSync(join(tmpdir(), 'lab-edge-'))
const socketPath = join(folder, 'relay.sock')
const service = createServer((request, answer) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    if (request.url === '/refused') answer.writeHead(403)
    answer.end(JSON.stringify({ path: request.url, body, headers: request.headers }))
  })
})
const edge = createEdge(socketPath)
let relay: Relay
let origin = ''

const listen = async (server: Server) => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  const sockets = new WebSocketServer({ noServer: true })
  service.on('upgrade', (request, socket, head) => {
    if (request.url === '/refused') return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      accepted.send(JSON.stringify(request.headers))
      accepted.on('message', (data: Buffer) => accepted.send(data.toString()))
    })
  })
  relay = await startRelay(socketPath, `http://${await listen(service)}`)
  origin = await listen(edge)
})

afterAll(async () => {
  edge.closeAllConnections()
  edge.close()
  service.close()
  await relay.close()
  rmSync(folder, { recursive: true, force: true })
})

const CLAIM = { 'cf-connecting-ip': '198.51.100.9' }

it('passes a request on with its path and body, and with the address of the peer in place of a claimed one', async () => {
  const answer = await fetch(`http://${origin}/a?b=c`, { method: 'POST', body: 'text', headers: CLAIM })
  expect(await answer.json()).toMatchObject({
    path: '/a?b=c',
    body: 'text',
    headers: { 'cf-connecting-ip': '127.0.0.1', host: 'localhost' },
  })
})

it('passes the status of the service on', async () => {
  expect((await fetch(`http://${origin}/refused`)).status).toBe(403)
})

it('passes a socket on in both directions, with the address of the peer', async () => {
  const socket = new WebSocket(`ws://${origin}/live`, { headers: CLAIM })
  const messages: string[] = []
  socket.on('message', (data: Buffer) => {
    messages.push(data.toString())
    if (messages.length === 1) socket.send('echo')
  })
  await expect.poll(() => messages.length).toBe(2)
  const [headers = '{}', echo] = messages
  expect((JSON.parse(headers) as IncomingHttpHeaders)['cf-connecting-ip']).toBe('127.0.0.1')
  expect(echo).toBe('echo')
  socket.close()
})

it('a refused upgrade is refused by the edge as well', async () => {
  const socket = new WebSocket(`ws://${origin}/refused`)
  const status = await new Promise((resolve) => {
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode))
    socket.on('error', resolve)
  })
  expect(status).toBe(403)
})

it('answers 502 while the service is away, as a proxy does', async () => {
  const away = createEdge(join(folder, 'nobody.sock'))
  const address = await listen(away)
  expect((await fetch(`http://${address}/`)).status).toBe(502)
  away.closeAllConnections()
  away.close()
})
