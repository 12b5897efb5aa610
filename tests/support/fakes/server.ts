import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAliyun } from './aliyun.ts'
import { Arrivals, type Fake, type FakeRequest } from './arrivals.ts'
import { internet } from './internet.ts'
import { page } from './page.ts'
import { createRobot } from './robots.ts'
import { SignInDesk } from './sign-in/desk.ts'
import { createDingtalkApi, createDingtalkLogin, createDingtalkMembers } from './sign-in/dingtalk.ts'
import { createFeishuApi, createFeishuLogin } from './sign-in/feishu.ts'
import { createWecomApi, createWecomLogin, createWecomOauth } from './sign-in/wecom.ts'
import { tencentSms } from './tencent.ts'

/** Fakes of every outside service on one port: each below its own prefix, `/` shows what arrived, POST /mode sets how one behaves. */
export async function startFakeServer(arrivals: Arrivals = new Arrivals(), port = 0) {
  const desk = new SignInDesk(arrivals.now)
  const fakes = new Map<string, Fake>([
    ['dingtalk', createRobot('dingtalk')],
    ['dingtalk-app', createDingtalkApi(desk)],
    ['dingtalk-members', createDingtalkMembers(desk)],
    ['dingtalk-login', createDingtalkLogin(desk)],
    ['feishu', createRobot('feishu')],
    ['feishu-app', createFeishuApi(desk)],
    ['feishu-login', createFeishuLogin(desk)],
    ['wecom', createRobot('wecom')],
    ['wecom-app', createWecomApi(desk)],
    ['wecom-login', createWecomLogin(desk)],
    ['wecom-oauth', createWecomOauth(desk)],
    ['aliyun-sms', createAliyun('aliyun-sms', 'dysmsapi.aliyuncs.com')],
    ['directmail', createAliyun('directmail', 'dm.aliyuncs.com')],
    ['tencent-sms', tencentSms],
    ['internet', internet],
  ])
  const server = createServer((request, response) => {
    void answer(request, response, fakes, arrivals)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    arrivals,
    /** Variables of the Worker that lead to the fakes. */
    bindings: {
      ...signInBindings(url),
      DINGTALK_BASE_URL: `${url}/dingtalk`,
      FEISHU_BASE_URL: `${url}/feishu`,
      LARK_BASE_URL: `${url}/feishu`,
      WECOM_BASE_URL: `${url}/wecom`,
      ALIYUN_SMS_BASE_URL: `${url}/aliyun-sms`,
      DIRECTMAIL_BASE_URL: `${url}/directmail`,
      TENCENT_SMS_BASE_URL: `${url}/tencent-sms`,
      LOCAL_INTERNET_URL: `${url}/internet`,
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Variables that lead to the pages and calls of sign-in alone. */
export const signInBindings = (url: string) => ({
  WECOM_APP_BASE_URL: `${url}/wecom-app`,
  WECOM_LOGIN_BASE_URL: `${url}/wecom-login`,
  WECOM_OAUTH_BASE_URL: `${url}/wecom-oauth`,
  FEISHU_APP_BASE_URL: `${url}/feishu-app`,
  FEISHU_LOGIN_BASE_URL: `${url}/feishu-login`,
  DINGTALK_APP_BASE_URL: `${url}/dingtalk-app`,
  DINGTALK_MEMBERS_BASE_URL: `${url}/dingtalk-members`,
  DINGTALK_LOGIN_BASE_URL: `${url}/dingtalk-login`,
})

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fakes: ReadonlyMap<string, Fake>,
  arrivals: Arrivals,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const [, name = '', path = ''] = /^\/([\w-]*)(.*)$/.exec(pathname) ?? []
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  const fake = fakes.get(name)
  if (!fake) return own(name, request, response, { searchParams, body }, arrivals)
  const headers = request.headers as FakeRequest['headers']
  const from = request.socket.remoteAddress ?? ''
  const reply = fake({ method: request.method ?? '', from, path, query: searchParams, headers, body }, arrivals)
  if (reply.hang) return
  if (reply.close) return void request.socket.destroy()
  send(response, reply.status ?? 200, reply.body ?? '', reply.headers)
}

/** The fakes' own pages: what arrived, as a page and as JSON; modes. */
function own(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  { searchParams, body }: { readonly searchParams: URLSearchParams; readonly body: string },
  arrivals: Arrivals,
): void {
  if (name === 'mode' && request.method === 'POST') {
    for (const [at, mode] of Object.entries(JSON.parse(body) as Record<string, string>)) arrivals.setMode(at, mode)
    return send(response, 200, { done: true })
  }
  if (name === 'clear' && request.method === 'POST') {
    arrivals.clear()
    return send(response, 200, { done: true })
  }
  const at = searchParams.get('at') ?? undefined
  if (name === 'arrived') return send(response, 200, { items: arrivals.all(at) })
  if (name === '') return send(response, 200, page(arrivals.all(at)), { 'content-type': 'text/html; charset=utf-8' })
  if (name === 'favicon') return send(response, 204, '')
  return send(response, 404, { error: 'no such fake' })
}

function send(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}
