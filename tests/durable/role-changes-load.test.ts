import { env } from 'cloudflare:test'
import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { ramAccounts } from '#db/schema/accounts.ts'
import { type Caller, createMany, createSubAccount } from '#tests/support/fixtures.ts'
import { readCookie, signIn } from '#tests/support/identity.ts'
import { authOf, createRole } from '#tests/support/rams.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'
import {
  TestSocket,
  type ViewerSocket,
  accountStub,
  connectViewer,
  createHubNetwork,
  createViewer,
  isShown,
  join,
  networkStub,
  routerStub,
  stopLongTimers,
} from './support.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { personKey } from '#domain/account/user.ts'

const worker = createTestWorker({ hubs: createHubs(env) })
const PEOPLE = 10
const POINTS = 17 // with the centre, the network and the account 20 hubs

const roleOf = async ({ ramId }: { readonly ramId: number }) =>
  (await db.select({ id: ramAccounts.roleId }).from(ramAccounts).where(eq(ramAccounts.id, ramId)))[0]!.id

type Network = Awaited<ReturnType<typeof createHubNetwork>>
type Sub = Caller & { readonly ramId: number }

/** The sockets of one sub-account on every hub of the network and its account. */
function openAll(network: Network, sub: Sub): Promise<ViewerSocket[]> {
  const { session } = sub
  const viewer = createViewer(network, { sessionId: session.id, person: personKey(session), grants: session.grants })
  const stubs = [accountStub(network), networkStub(network), ...[network.center, ...network.points].map(routerStub)]
  return Promise.all(stubs.map((stub) => connectViewer(stub, viewer)))
}

async function openSocket(token: string, network_number: string): Promise<ViewerSocket> {
  const { ticket } = (await worker.call(routerApi.trafficTicket, { kind: 'network', network_number }, token)).data
  return openWith(ticket)
}

async function openWith(ticket: string): Promise<ViewerSocket> {
  const upgrade = { headers: { upgrade: 'websocket' } }
  return new TestSocket((await worker.request(`/api/v1/network/live?ticket=${ticket}`, upgrade)).webSocket!)
}

describe('directory 6 · a role that is changed under load', () => {
  it('closes the 200 sockets of its people on 20 hubs and no others without a timer, and serves nothing by the rights before', async () => {
    const network = await createHubNetwork(POINTS)
    const { main, number } = network
    const own = await insertNetwork({ accountId: main.accountId })
    const people = await createMany(PEOPLE, () => createSubAccount(main, { flags: ['monitor:view'] }))
    const role = await roleOf(people[0]!)
    const ids = people.map(({ ramId }) => ramId)
    await db.update(ramAccounts).set({ roleId: role }).where(inArray(ramAccounts.id, ids))
    const bystander = await createSubAccount(main)
    const sockets = (await Promise.all(people.map((sub) => openAll(network, sub)))).flat()
    const others = await openAll(network, bystander)
    expect(sockets).toHaveLength(200)

    const read = ({ token }: Caller) => worker.call(networkApi.info, { network_number: number }, token)
    const during = people.map(read)
    const { name, note } = (await worker.call(ramRoleApi.info, { id: role }, main.token)).data
    stopLongTimers(1_000)
    const auth = authOf({ monitor: { view: 1 }, number: [own.number] })
    expect((await worker.call(ramRoleApi.edit, { id: role, name, note, auth }, main.token)).code).toBe(200)
    const after = await Promise.all(people.map(read))

    for (const answer of await Promise.all(during)) expect([200, 2002]).toContain(answer.code)
    for (const answer of after) expect(answer).toMatchObject(refusal('SESSION_REVOKED'))
    for (const socket of sockets) expect((await socket.end()).code).toBe(CLOSE.sessionEnded)
    expect(others.filter(({ closed }) => closed !== null)).toEqual([])
    expect((await read(bystander)).code).toBe(200)
  })
})

describe('directory 4 · sockets of a sub-account', () => {
  /** A network, a second one, and a sub-account of the first that is signed in and watches it. */
  async function openPage() {
    const network = await createHubNetwork(0)
    const { main, number } = network
    const second = await createNetworkBeside(network)
    const sub = await createSubAccount(main, { networks: [number] })
    const signedIn = await signIn(sub.username, {}, { kind: 'ram' })
    const token = signedIn.data.access_token
    const socket = await openSocket(token, number)
    await socket.next(isShown('snapshot'))
    const renew = async () =>
      (await worker.call(loginApi.refresh, {}, { cookie: readCookie(signedIn) })).data.access_token
    return { main, number, second, sub, token, socket, renew }
  }

  async function createNetworkBeside({ accountId, center }: Network): Promise<string> {
    const { id, number } = await insertNetwork({ accountId })
    await join({ id, accountId }, center, 'center')
    return number
  }

  const editRole = async ({ main, sub }: Awaited<ReturnType<typeof openPage>>, number: readonly string[] | null) => {
    const id = await roleOf(sub)
    const { name, note } = (await worker.call(ramRoleApi.info, { id }, main.token)).data
    return worker.call(ramRoleApi.edit, { id, name, note, auth: authOf({ number }) }, main.token)
  }

  it('come back with the new rights at once, without signing in', async () => {
    const page = await openPage()
    const { number, second, socket, renew } = page
    await editRole(page, [number, second])
    expect((await socket.end()).code).toBe(CLOSE.sessionEnded)
    const token = await renew()
    const [again, wider] = [await openSocket(token, number), await openSocket(token, second)]
    for (const opened of [again, wider]) await opened.next(isShown('snapshot'))
    expect([again.closed, wider.closed]).toEqual([null, null])
  })

  it('are closed with another role, and with a network that is deleted', async () => {
    const page = await openPage()
    const { main, number, second, sub, socket, renew } = page
    const role_id = await createRole(main, authOf({ number: [number, second] }))
    await worker.call(ramApi.edit, { id: sub.ramId, role_id, nickname: '运维小王' }, main.token)
    expect((await socket.end()).code).toBe(CLOSE.sessionEnded)
    const next = await openSocket(await renew(), number)
    await next.next(isShown('snapshot'))
    await worker.call(networkApi.delete, { network_number: second }, main.token)
    expect((await next.end()).code).toBe(CLOSE.sessionEnded)
    expect((await openSocket(await renew(), number)).closed).toBeNull()
  })

  it.each([
    ['disabled', (id: number, token: string) => worker.call(ramApi.disable, { id }, token)],
    ['signed out by force', (id: number, token: string) => worker.call(ramApi.endSessions, { id }, token)],
    ['deleted', (id: number, token: string) => worker.call(ramApi.delete, { id }, token)],
  ] as const)('%s are closed, and a ticket that was drawn before opens nothing', async (_, end) => {
    const { main, number, sub, token, socket } = await openPage()
    const target = { kind: 'network', network_number: number } as const
    const { ticket } = (await worker.call(routerApi.trafficTicket, target, token)).data
    expect((await end(sub.ramId, main.token)).code).toBe(200)
    expect((await socket.end()).code).toBe(CLOSE.sessionEnded)
    const late = await openWith(ticket)
    expect((await late.end()).code).toBe(CLOSE.sessionEnded)
    expect(late.frames).toEqual([])
  })
})
