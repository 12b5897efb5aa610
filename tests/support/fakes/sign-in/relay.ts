import { createHmac, timingSafeEqual } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TRUSTED_ADDRESS } from './desk.ts'

export const RELAY_KEY = 'fake-relay-key'

/** Fake for each host of a vendor's API. */
const FAKE_OF: Readonly<Record<string, string>> = {
  'qyapi.weixin.qq.com': 'wecom-app',
  'open.feishu.cn': 'feishu-app',
  'api.dingtalk.com': 'dingtalk-app',
  'oapi.dingtalk.com': 'dingtalk-members',
}
const CLOCK_SKEW_S = 300

/** The operator's relay (infra/docs/auth-sources.md): checks the signature, and calls the fakes from its own address. */
export async function startRelay(fakesUrl: string) {
  const server = createServer((incoming, answer) => void forward(fakesUrl, incoming, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function forward(fakesUrl: string, incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { method = 'GET', url = '/' } = incoming
  const body = Buffer.concat(chunks).toString()
  const [, host = '', path = ''] = /^\/([^/]+)(.*)$/.exec(url) ?? []
  const fake = FAKE_OF[host]
  if (!fake || !isSigned(incoming, [method, url, body])) return void answer.writeHead(403).end()
  const { host: _, ...headers } = incoming.headers
  send(`${fakesUrl}/${fake}${path}`, { method, headers, localAddress: TRUSTED_ADDRESS }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(answer)
  })
    .on('error', () => void answer.writeHead(502).end())
    .end(body)
}

function isSigned({ headers }: IncomingMessage, parts: readonly string[]): boolean {
  const time = String(headers['x-relay-time'])
  const expected = createHmac('sha256', RELAY_KEY)
    .update([time, ...parts].join('\n'))
    .digest()
  const given = Buffer.from(String(headers['x-relay-signature']), 'base64url')
  const isNow = Math.abs(Date.now() / 1000 - Number(time)) < CLOCK_SKEW_S
  return isNow && given.length === expected.length && timingSafeEqual(given, expected)
}
