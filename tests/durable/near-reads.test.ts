import { env, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { BOOKMARK_HEADER } from '#contract/kernel/bookmark.ts'
import { NEAR_READ } from '#contract/kernel/hub-limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { createHubs } from '#durable/hubs.ts'
import type { LiveHubs } from '#http/context.ts'
import { signAccessToken } from '#security/tokens.ts'
import { type Caller, createSubAccount } from '#tests/support/fixtures.ts'
import { type LaggingCopy, installLaggingCopy } from '#tests/support/lagging-copy.ts'
import { signInAgain } from '#tests/support/own-contact.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { createTestWorker, refusal } from '#tests/support/test-worker.ts'
import { type TestNetwork, accountStub, createHubNetwork, isShown, TestSocket, type ViewerSocket } from './support.ts'

// Near reads: the copy is five seconds behind. Own writes are seen all the same, and whoever was signed out reads nothing.

const worker = createTestWorker({ hubs: createHubs(env) })
const SECOND_MS = 1_000

let copy: LaggingCopy
let network: TestNetwork & { main: Caller }
let main: Caller

beforeEach(async () => {
  copy = await installLaggingCopy()
  network = await createHubNetwork(1)
  main = network.main
  await accountStub(network).refresh()
  await copy.catchUp()
})

const near = (bookmark: string) => ({ [BOOKMARK_HEADER]: bookmark })
/** Names of the caller's networks as a read with this bookmark answers them; without one the primary does. */
async function readNames(caller: Pick<Caller, 'token'>, bookmark?: string, by = worker) {
  const headers = bookmark === undefined ? {} : near(bookmark)
  const answer = await by.call(networkApi.select, {}, { token: caller.token, headers })
  return { ...answer, names: answer.data?.map(({ network_name: name }) => name), bookmark: bookmarkOf(answer) }
}
const bookmarkOf = ({ headers }: { readonly headers: Headers }) => headers.get(BOOKMARK_HEADER) ?? ''

const rename = (caller: Pick<Caller, 'token'>, name: string) =>
  worker.call(networkApi.name, { network_number: network.number, network_name: name }, caller.token)

const FROM_COPY = { code: 200, trips: 1, nearTrips: 1, hubCalls: 1 }
const FROM_PRIMARY = { code: 200, trips: 1, nearTrips: 0, hubCalls: 0 }

describe('a read of a caller with a bookmark', () => {
  it('is one trip to the copy and one call of the hub; without a bookmark it is one trip to the primary', async () => {
    const since = copy.reached()
    const { names: before } = await readNames(main, since)
    await rename(main, '改名后')
    expect(await readNames(main, since)).toMatchObject({ ...FROM_COPY, names: before })
    expect(await readNames(main)).toMatchObject({ ...FROM_PRIMARY, names: ['改名后'], bookmark: copy.newest() })
  })

  it('of an endpoint that reads the primary never comes from the copy', async () => {
    const target = { network_number: network.number }
    const headers = near(copy.reached())
    const answer = await worker.call(networkApi.info, target, { token: main.token, headers })
    expect(answer).toMatchObject({ code: 200, trips: 1, nearTrips: 0 })
    expect(bookmarkOf(answer)).toBe(copy.newest())
  })

  it('that the copy has nothing for is answered by the primary: a colleague may have made it just now', async () => {
    const since = copy.reached()
    const made = await insertNetwork({ accountId: main.accountId, name: '同事的' })
    const options = { token: main.token, headers: near(since) }
    const answer = await worker.call(networkApi.events, { network_number: made.number, at: Date.now() }, options)
    expect(answer).toMatchObject({ code: 200, trips: 2, nearTrips: 1 })
    const missing = await worker.call(networkApi.events, { network_number: 'N0', at: Date.now() }, options)
    expect(missing).toMatchObject(refusal('NETWORK_NOT_FOUND'))
  })

  it.each([
    'first-unconstrained',
    'first-primary',
    '',
    'x'.repeat(200),
    'w1800000000000',
    '00000000-00000000-00000000',
    "' or 1=1",
  ])('that is no bookmark of this database is one of the primary: %s', async (forged) => {
    expect(await readNames(main, forged)).toMatchObject(FROM_PRIMARY)
  })

  it('that no copy ever reaches is answered by the primary after a second, with a bookmark that can be used', async () => {
    const forged = `ffffffff-00000000-00000000-${'0'.repeat(32)}`
    const startedAt = Date.now()
    expect(await readNames(main, forged)).toMatchObject({ code: 200, trips: 2, nearTrips: 1, bookmark: copy.newest() })
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(NEAR_READ.copyMs - 50)
  })

  it('is answered by the primary where the copy fails', async () => {
    copy.breakCopy(new Error('D1_ERROR: no such column: x'))
    expect(await readNames(main, copy.reached())).toMatchObject({ code: 200, trips: 2, nearTrips: 1 })
  })
})

describe('a person sees the own writes', () => {
  it('in the tab that wrote, and in another one that takes its bookmark over', async () => {
    const before = await readNames(main)
    const { headers, code } = await rename(main, '第一个标签页')
    expect(code).toBe(200)
    const shared = bookmarkOf({ headers })
    expect(shared > before.bookmark).toBe(true)
    for (const bookmark of [shared, shared])
      // both tabs
      expect((await readNames(main, bookmark)).names).toEqual(['第一个标签页'])
  })

  it('each of many in a row, by the API', async () => {
    let bookmark = copy.newest()
    for (const name of ['甲', '乙', '丙']) {
      bookmark = bookmarkOf(await rename(main, name))
      expect((await readNames(main, bookmark)).names).toEqual([name])
    }
  })

  it('and what a live frame announced, also in the near reads after it', async () => {
    const ticket = await worker.call(routerApi.trafficTicket, { kind: 'account' }, main.token)
    const upgrade = await worker.request(`/api/v1/account/live?ticket=${ticket.data.ticket}`, {
      headers: { upgrade: 'websocket' },
    })
    const socket: ViewerSocket = new TestSocket(upgrade.webSocket!)
    await socket.next(isShown('account'))
    const since = copy.reached()
    await rename(await signInAgain(main), '同事改的')
    await accountStub(network).refresh()
    const caused = await readNames(main) // the console sends no bookmark then
    expect(caused.names).toEqual(['同事改的'])
    expect((await readNames(main, caused.bookmark)).names).toEqual(['同事改的'])
    expect((await readNames(main, since)).names).not.toEqual(['同事改的'])
    socket.socket.close()
  })
})

describe('who may not read any more', () => {
  const openOnCopy = ({ session }: Pick<Caller, 'session'>) =>
    copy.select('select 1 from sessions where id = ? and version = ? and ended_at is null', session.id, session.version)

  it('after a second reads nothing with the token of a session that was ended, though the copy still has it', async () => {
    const other = await signInAgain(main)
    await copy.catchUp()
    const since = copy.reached()
    expect(await readNames(other, since)).toMatchObject(FROM_COPY)
    await worker.call(accountApi.endSession, { session_id: other.session.id }, main.token)
    await scheduler.wait(SECOND_MS)
    expect(await openOnCopy(other)).toHaveLength(1)
    expect(await readNames(other, since)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await readNames(main, since)).toMatchObject(FROM_COPY)
  })

  it('nor with that of a role that was narrowed; the next token reads its own networks', async () => {
    const own = await insertNetwork({ accountId: main.accountId, name: '分支网' })
    const sub = await createSubAccount(main, { flags: ['network:edit'], networks: null })
    await copy.catchUp()
    const since = copy.reached()
    expect(await readNames(sub, since)).toMatchObject({ ...FROM_COPY, names: expect.arrayContaining(['分支网']) })
    const role = await copy.select<{ name: string; account: string }>(
      'select r.name, a.username as account from ram_roles r join accounts a on a.id = r.account_id where a.id = ?',
      main.accountId,
    )
    const narrowed = { role: role[0]!.name, account: role[0]!.account, flags: [], networks: [own.number] }
    expect((await worker.call(opsApi.editRole, narrowed)).code).toBe(200)
    await scheduler.wait(SECOND_MS)
    expect(await openOnCopy(sub)).toHaveLength(1)
    expect(await readNames(sub, since)).toMatchObject(refusal('SESSION_REVOKED'))
    const grants = { kind: 'ram', flags: [], networks: [own.number] } as const
    const token = await signAccessToken(env.JWT_KEYS, { ...sub.session, version: 2, grants }, Date.now())
    expect(await readNames({ token }, since)).toMatchObject({ code: 200, names: ['分支网'] })
  })
})

describe('the account’s hub', () => {
  const withAccountHub = (sessionState: () => Promise<unknown>) => {
    const hubs = createHubs(env)
    return createTestWorker({
      hubs: { ...hubs, account: (hub) => ({ ...hubs.account(hub), sessionState }) as ReturnType<LiveHubs['account']> },
    })
  }
  const FELL_BACK = { code: 200, trips: 2, nearTrips: 1, hubCalls: 1 }

  it('that has never read sends the read to the primary, and reads', async () => {
    const cold = await createHubNetwork(1)
    await copy.catchUp()
    const caller = { token: cold.main.token }
    expect(await readNames(caller, copy.reached())).toMatchObject(FELL_BACK)
    await vi.waitFor(async () => expect(await readNames(caller, copy.reached())).toMatchObject(FROM_COPY))
  })

  it('with a notice of ended sessions that it could not read does so, too', async () => {
    const batch = vi.mocked(env.DB!.batch)
    const run = batch.getMockImplementation()!
    batch.mockRejectedValue(new Error('D1_ERROR: overloaded'))
    await expect(
      runInDurableObject(accountStub(network), (hub) =>
        hub.refresh().then(
          () => 'read',
          () => 'failed',
        ),
      ),
    ).resolves.toBe('failed')
    batch.mockImplementation(run)
    expect(await readNames(main, copy.reached())).toMatchObject(FELL_BACK)
    await accountStub(network).refresh()
    expect(await readNames(main, copy.reached())).toMatchObject(FROM_COPY)
  })

  it('knows what it has read after a hibernation: a notice would have woken it', async () => {
    await evictDurableObject(accountStub(network))
    expect(await readNames(main, copy.reached())).toMatchObject(FROM_COPY)
  })

  it('whose rows were read by a release that stored less reads them itself first', async () => {
    await runInDurableObject(accountStub(network), (_, { storage }) => storage.kv.put('sessionsReadBy', 'before'))
    expect(await readNames(main, copy.reached())).toMatchObject(FELL_BACK)
  })

  it.each([
    ['is slow', () => new Promise(() => {})],
    ['is gone', () => Promise.reject(new Error('overloaded'))],
    ['is of a release that does not know the question', () => Promise.reject(new Error('this hub has no method'))],
  ])('that %s holds a read up for 300 ms at most', async (_, sessionState) => {
    const startedAt = Date.now()
    expect(await readNames(main, copy.reached(), withAccountHub(sessionState))).toMatchObject(FELL_BACK)
    expect(Date.now() - startedAt).toBeLessThan(NEAR_READ.hubMs + 2_000)
  })

  it('is not named by tokens of the release before, whose reads are those of the primary', async () => {
    const { hub: _hub, ...session } = main.session
    const token = await signAccessToken(env.JWT_KEYS, session, Date.now())
    expect(await readNames({ token }, copy.reached())).toMatchObject(FROM_PRIMARY)
  })
})
