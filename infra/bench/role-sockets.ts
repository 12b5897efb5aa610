import { WebSocket } from 'ws'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { DEMO_PASSWORD } from '#infra/demo/data.ts'
import { type Call, callEndpoint, outboxCode } from '#infra/local/api.ts'
import { claimDevice } from './device.ts'
import { type Finding, median, print } from './report.ts'
import { openSession } from './sessions.ts'
import type { Stack } from './stack.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

const ACCOUNT = 'rolesockets'
const ROLE = '值班'
const HUBS = 20
/** Of one person, each with a socket on every hub. */
const SESSIONS = 10
const ROUNDS = 5
const BUDGET = 1.2
const BUDGET_MS = 1_000
const POLL_MS = 2
const YEAR_MS = 365 * 86_400_000

type Target = Input<typeof routerApi.trafficTicket>

/**
 * The sockets of a role's people are closed when it changes: how long after the call, against the same sockets when the same
 * people are signed out. Both calls of the console read first and write then.
 */
export async function benchRoleSockets(stack: Stack): Promise<readonly Finding[]> {
  const { origin } = stack
  const ops = <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(origin, '/ops/v1', spec, input, stack.operatorToken)
  const targets = await createNetwork(stack, ops)
  const ram = { account: ACCOUNT, role: ROLE, username: 'desk', nickname: '值班员', password: DEMO_PASSWORD }
  const { login_name: name } = await ops(opsApi.createRam, { ...ram, flags: [] })
  const main = await openSession(stack, ACCOUNT)
  const call: Call = (spec, input) => callEndpoint(origin, '/api/v1', spec, input, main)
  const [role] = await call(ramRoleApi.lists, {})
  const [person] = await call(ramApi.lists, {})
  if (!role || !person) throw new Error('the role or its sub-account is missing')

  const changed: number[] = []
  const ended: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const sessions: SubSession[] = []
    while (sessions.length < SESSIONS) sessions.push(await signInRam(origin, name))
    const before = tokensOf(sessions)
    const router = { ...role.auth.easylink.router, edit: round % 2 === 0 ? 1 : 0 } as const
    const auth = { ...role.auth, easylink: { ...role.auth.easylink, router } }
    const edit = () => call(ramRoleApi.edit, { id: role.id, name: role.name, note: role.note, auth })
    changed.push(await untilClosed(origin, targets, before, edit))
    await expectRefused(origin, before)
    for (const session of sessions) await renew(origin, session)
    const signOut = () => call(ramApi.endSessions, { id: person.id })
    ended.push(await untilClosed(origin, targets, tokensOf(sessions), signOut))
  }
  const [change, end] = [median(changed), median(ended)]
  const findings: readonly Finding[] = [
    { what: 'role change, last socket closed', value: change, unit: 'ms', budget: BUDGET_MS, must: 'stay below' },
    { what: 'signed out, last socket closed', value: end, unit: 'ms' },
    { what: 'role change against sign-out', value: change / end, unit: 'ratio', budget: BUDGET, must: 'stay below' },
  ]
  print(`${SESSIONS * HUBS} sockets on ${HUBS} hubs, medians of ${ROUNDS} rounds`, findings)
  return findings
}

const tokensOf = (sessions: readonly SubSession[]) => sessions.map(({ token }) => token)

/** The account, one network, and as many devices as make up the hubs. */
async function createNetwork(
  stack: Stack,
  ops: <E extends Endpoint>(spec: E, input: Input<E>) => Promise<unknown>,
): Promise<readonly Target[]> {
  const account = { username: ACCOUNT, nickname: '权限测试', password: DEMO_PASSWORD, email: 'roles@roles.example' }
  await ops(opsApi.createAccount, account)
  const term = { start_time: Date.now(), expired_time: Date.now() + YEAR_MS, account: ACCOUNT }
  await ops(opsApi.setService, { ...term, kind: 'network_member', name: '成员', quantity: HUBS })
  const token = await openSession(stack, ACCOUNT)
  const serials = Array.from({ length: HUBS - 2 }, (_, n) => `NLROLE${n}`)
  for (const serial of serials) await claimDevice(stack, serial, token)
  const [center = '', ...point] = serials
  const plan = { network_name: '权限测试网', center: [center], point }
  const { network_number } = await callEndpoint(stack.origin, '/api/v1', networkApi.create, plan, token)
  return [
    { kind: 'account' },
    { kind: 'network', network_number },
    ...serials.map((router_name) => ({ kind: 'router' as const, router_name })),
  ]
}

interface SubSession {
  token: string
  cookie: string
}

async function signInRam(origin: string, username: string): Promise<SubSession> {
  const uniqid = await drawCaptcha(origin)
  const code = await outboxCode(origin, 'captcha', { uniqid })
  let cookie = ''
  const form = { username, password: DEMO_PASSWORD, code, uniqid }
  const { access_token: token } = await callEndpoint(origin, '/api/v1', loginApi.ram, form, '', (headers) => {
    cookie = cookieOf(headers)
  })
  return { token, cookie }
}

let drawn = 0

/** An address draws 30 a minute. */
async function drawCaptcha(origin: string): Promise<string> {
  const address = `10.88.${drawn++ % SESSIONS}.1`
  const response = await fetch(`${origin}/api/v1/${verifyApi.code.path}`, { headers: { 'cf-connecting-ip': address } })
  const { data } = (await response.json()) as { readonly data: { readonly uniqid: string } }
  return data.uniqid
}

/** As a console does whose sockets were closed. */
async function renew(origin: string, session: SubSession): Promise<void> {
  const response = await fetch(`${origin}/api/v1/${loginApi.refresh.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: session.cookie },
    body: '{}',
  })
  const { data } = (await response.json()) as { readonly data: { readonly access_token: string } }
  session.token = data.access_token
  session.cookie = cookieOf(response.headers)
}

const cookieOf = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''

const SOCKETS = { account: 'account/live', network: 'network/live', router: 'router/traffic' } as const

/** Opens a socket of each session on each hub, and answers the milliseconds from the call to the last close. */
async function untilClosed(
  origin: string,
  targets: readonly Target[],
  tokens: readonly string[],
  call: () => Promise<unknown>,
): Promise<number> {
  const sockets: WebSocket[] = []
  for (const token of tokens)
    for (const target of targets) {
      const { ticket } = await callEndpoint(origin, '/api/v1', routerApi.trafficTicket, target, token)
      const url = `${origin.replace('http', 'ws')}/api/v1/${SOCKETS[target.kind]}?ticket=${ticket}`
      const socket = new WebSocket(url, { origin })
      await new Promise<void>((resolve, reject) => {
        socket.once('message', () => resolve())
        socket.once('error', reject)
      })
      sockets.push(socket)
    }
  const startedAt = performance.now()
  const closed = allClosed(sockets)
  await call()
  const ms = (await closed) - startedAt
  for (const socket of sockets) socket.terminate()
  return ms
}

/** When the last close frame has arrived: the connection beneath ends later, by timers of the runtime and of the client. */
async function allClosed(sockets: readonly WebSocket[]): Promise<number> {
  while (sockets.some(({ readyState }) => readyState === WebSocket.OPEN))
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  return performance.now()
}

/** The tokens from before serve nothing once the change is answered. */
async function expectRefused(origin: string, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    const served = await callEndpoint(origin, '/api/v1', networkApi.lists, {}, token).catch(() => null)
    if (served !== null) throw new Error('a token from before the change was served')
  }
}
