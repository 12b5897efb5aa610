import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import { messageApi } from '#contract/message/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import type { Grants } from '#contract/kernel/permissions.ts'
import { accounts, ramRoles, sessions } from '#db/schema/accounts.ts'
import { signAccessToken } from '#security/tokens.ts'
import { type Caller, createSubAccount } from '#tests/support/fixtures.ts'
import { insertMessage, insertNetwork } from '#tests/support/rows.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'
import { TestSocket, type ViewerSocket, accountStub, createHubNetwork, isShown, join } from './support.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

const worker = createTestWorker({ hubs: createHubs(env) })
const SOCKETS = { account: '/account/live', network: '/network/live', router: '/router/traffic' } as const
type Target = Input<typeof routerApi.trafficTicket>

async function askTicket(token: string, target: Target) {
  return worker.call(routerApi.trafficTicket, target, token)
}
async function openWith(ticket: string, { kind }: Target): Promise<ViewerSocket> {
  const response = await worker.request(`/api/v1${SOCKETS[kind]}?ticket=${ticket}`, {
    headers: { upgrade: 'websocket' },
  })
  return new TestSocket(response.webSocket!)
}
const open = async (token: string, target: Target) => openWith((await askTicket(token, target)).data.ticket, target)

/** Changes the role of a sub-account; answers the token that its console gets next. */
async function changeRole(sub: Caller, over: Partial<Grants>): Promise<string> {
  const grants = { ...sub.session.grants, ...over }
  const [row] = await db
    .select({ role: ramRoles.name, account: accounts.username })
    .from(ramRoles)
    .innerJoin(accounts, eq(accounts.id, ramRoles.accountId))
    .where(eq(ramRoles.accountId, sub.accountId))
  const input = { ...row!, flags: [...grants.flags], networks: grants.networks && [...grants.networks] }
  expect((await worker.call(opsApi.editRole, input)).code).toBe(200)
  const session = { ...sub.session, version: sub.session.version + 1, grants }
  return signAccessToken(env.JWT_KEYS, session, Date.now())
}

/** An account with two networks, and a sub-account that sees both on the pages of alerts, messages, topology and a router. */
async function openPages() {
  const network = await createHubNetwork(1)
  const { main, center } = network
  const own = await insertNetwork({ accountId: main.accountId, name: '分支网' })
  await join({ id: own.id, accountId: main.accountId }, network.points[0]!, 'center')
  const sub = await createSubAccount(main, { flags: ['monitor:view'], networks: null })
  const targets = {
    badge: { kind: 'account' },
    topology: { kind: 'network', network_number: network.number },
    router: { kind: 'router', router_name: center.name },
  } as const satisfies Record<string, Target>
  const sockets = await Promise.all(Object.values(targets).map((target) => open(sub.token, target)))
  const shown = ['account', 'snapshot', 'history'] as const
  for (const [i, socket] of sockets.entries()) await socket.next(isShown(shown[i]!))
  return { network, own, main, sub, sockets, targets }
}

describe('account 6 · a role that is narrowed while its pages are open', () => {
  it('closes the sockets of the rights before on every hub, and no others', async () => {
    const { own, main, sub, sockets, targets } = await openPages()
    const bystander = await open(main.token, targets.topology)
    await bystander.next(isShown('snapshot'))
    await changeRole(sub, { networks: [own.number] })
    for (const socket of sockets) expect((await socket.end()).code).toBe(CLOSE.sessionEnded)
    expect(bystander.closed).toBeNull()
  })

  it('a ticket that was drawn before opens nothing', async () => {
    const { own, sub, targets } = await openPages()
    const tickets = await Promise.all(
      Object.values(targets).map(async (target) => [(await askTicket(sub.token, target)).data.ticket, target] as const),
    )
    await changeRole(sub, { networks: [own.number] })
    for (const [ticket, target] of tickets) {
      const late = await openWith(ticket, target)
      expect((await late.end()).code).toBe(CLOSE.sessionEnded)
      expect(late.frames).toEqual([])
    }
  })

  it('the token before is refused, and the next one reads, counts and watches its own network only', async () => {
    const { network, own, main, sub, targets } = await openPages()
    await insertMessage({ accountId: main.accountId, networkNumber: network.number, title: '总部' })
    const token = await changeRole(sub, { networks: [own.number] })
    const reads = [
      [monitorApi.alerts, {}],
      [messageApi.lists, {}],
      [networkApi.info, { network_number: network.number }],
      [routerApi.info, { router_name: network.center.name }],
    ] as const
    for (const [spec, input] of reads)
      expect(await worker.call(spec, input as never, sub.token)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await worker.call(messageApi.lists, {}, token)).toMatchObject({ code: 200, data: [], unread: 0 })
    expect((await worker.call(monitorApi.alerts, {}, token)).data).toEqual([])
    expect((await worker.call(networkApi.lists, {}, token)).data.map((row) => row.network_number)).toEqual([own.number])
    expect(await askTicket(token, targets.topology)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await askTicket(token, targets.router)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    const again = await open(token, targets.badge)
    expect((await again.next(isShown('account'))).data.unread).toBe(0)
    const topology = await open(token, { kind: 'network', network_number: own.number })
    await topology.next(isShown('snapshot'))
    await accountStub(network).refresh()
    expect([again.closed, topology.closed]).toEqual([null, null])
  })

  it('a flag that is taken away ends them too, and a second change those of the first', async () => {
    const { sub, sockets, targets } = await openPages()
    const second = await changeRole(sub, { flags: [] })
    for (const socket of sockets) expect((await socket.end()).code).toBe(CLOSE.sessionEnded)
    expect(await worker.call(monitorApi.alerts, {}, second)).toMatchObject(refusal('PERMISSION_DENIED'))
    const topology = await open(second, targets.topology)
    await topology.next(isShown('snapshot'))
    await changeRole({ ...sub, session: { ...sub.session, version: 2 } }, { flags: [], networks: [] })
    expect((await topology.end()).code).toBe(CLOSE.sessionEnded)
  })

  it('a session that ends after a change of its rights is closed like any other', async () => {
    const { network, sub, targets } = await openPages()
    const token = await changeRole(sub, { flags: [] })
    const badge = await open(token, targets.badge)
    await badge.next(isShown('account'))
    const { ticket } = (await askTicket(token, targets.topology)).data
    await db.update(sessions).set({ endedAt: Date.now() }).where(eq(sessions.id, sub.session.id))
    await accountStub(network).refresh()
    expect((await badge.end()).code).toBe(CLOSE.sessionEnded)
    const late = await openWith(ticket, targets.topology)
    expect((await late.end()).code).toBe(CLOSE.sessionEnded)
    expect(late.frames).toEqual([])
  })
})
