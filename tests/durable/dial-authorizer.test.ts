import { env, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DIAL_TOKEN } from '#contract/client/limits.ts'
import { DIAL_REQUEST } from '#contract/kernel/hub-limits.ts'
import type { DialRequest, HubFrame } from '#contract/kernel/protocol.ts'
import { accounts, attempts } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { memberSettings, networkMembers } from '#db/schema/networks.ts'
import { clientProfiles } from '#db/schema/clients.ts'
import { DialAuthorizer } from '#durable/router-hub/dial-authorizer.ts'
import { blankRouter } from '#durable/router-hub/state/storage.ts'
import { type DialClaims, createDialToken } from '#security/dial-token.ts'
import { HOSTILE_TEXTS } from '#tests/agent/support/hostile-texts.ts'
import { loginRecords } from '#tests/support/clients.ts'
import { createService, createSoftwareRouter, unique } from '#tests/support/fixtures.ts'
import { insertMember } from '#tests/support/rows.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { db } from '#tests/support/test-worker.ts'
import { createCarried, createNode } from './carried-network.ts'
import { type DeviceSocket, connectOnlineDevice, createHubNetwork, readNow, routerStub, until } from './support.ts'

/** A centre that one software member may dial, and the token of that member. */
async function createDialNetwork() {
  const network = await createHubNetwork(1)
  const { accountId, id: networkId, center, number } = network
  await createService(accountId, 'software_member', 10)
  const { id, name } = await createSoftwareRouter(accountId)
  await insertMember({ accountId, networkId, routerId: id, memberType: 'point' })
  await readNow(routerStub(center))
  const device = await connectOnlineDevice(center)
  const claims: DialClaims = {
    memberId: id,
    credentialVersion: 0,
    networkNumber: number,
    expiresAt: Date.now() + 60_000,
    profileId: null,
  }
  const token = (over: Partial<DialClaims> = {}) => createDialToken(env.HMAC_SECRET, { ...claims, ...over })
  return { ...network, memberId: id, name, device, token }
}
type DialNetwork = Awaited<ReturnType<typeof createDialNetwork>>

/** Asks the hub as a device does, and waits for the answer. */
async function ask(
  { device, number, name }: Pick<DialNetwork, 'device' | 'number' | 'name'>,
  over: Partial<DialRequest>,
): Promise<Extract<HubFrame, { t: 'client_auth_result' }>> {
  const id = unique('a')
  const from = { remote: '203.0.113.9', os: 'linux', version: '1.0.0', renewed: false }
  device.send({ t: 'client_auth', id, network_number: number, name, secret: '', ...from, ...over })
  return answerOf(device, id)
}

const answerOf = (device: DeviceSocket, id: string) =>
  until(() => device.frames.flatMap((one) => (one.t === 'client_auth_result' && one.id === id ? [one] : []))[0])

it('lets a member dial with its token, whatever the case of its name, and reads no database', async () => {
  const network = await createDialNetwork()
  const secret = await network.token()
  expect(await ask(network, { secret })).toMatchObject({ ok: true, reason: '' })
  expect(await ask(network, { secret, name: network.name.toUpperCase() })).toMatchObject({ ok: true })
  expect(await loginRecords(network.accountId)).toEqual([])
})

it('names each reason in its own sentence, and records it at the member', async () => {
  const network = await createDialNetwork()
  const secret = await network.token()
  const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
  const expired = await network.token({ expiresAt: Date.now() - 60_000 })
  const elsewhere = await network.token({ networkNumber: 'NW-ANOTHER' })
  const reasons = async (...secrets: readonly string[]) => {
    const answers = []
    for (const one of secrets) answers.push((await ask(network, { secret: one })).reason)
    return answers
  }
  expect(await reasons(wrong, 'Weilai26', expired, elsewhere)).toEqual([
    '拨入凭证不正确，请在客户端重新登录',
    '拨入不接受密码，请在客户端登录后再拨入',
    '拨入凭证已过期，请重新拨入',
    '该账号不在此组网中，请联系管理员',
  ])
  const records = await loginRecords(network.accountId)
  expect(records.map(({ routerId, ok, reason, ip }) => ({ routerId, ok, reason, ip }))).toEqual(
    ['拨入凭证不正确', '拨入时使用了密码', '拨入凭证已过期', '不在拨入的组网中'].map((reason) => {
      return { routerId: network.memberId, ok: 0, reason, ip: '203.0.113.9' }
    }),
  )
  expect(JSON.stringify(records)).not.toContain('Weilai26')
})

it('looks at password, status, account and membership at each dial', async () => {
  const network = await createDialNetwork()
  const { accountId, memberId, center } = network
  const secret = await network.token()
  const after = async (change: () => Promise<unknown>) => {
    await change()
    await readNow(routerStub(center))
    return ask(network, { secret })
  }
  const setMember = (set: Partial<typeof routers.$inferInsert>) => () =>
    db.update(routers).set(set).where(eq(routers.id, memberId))
  const setAccount = (status: number) => () => db.update(accounts).set({ status }).where(eq(accounts.id, accountId))
  expect(await after(setMember({ credentialVersion: 1 }))).toMatchObject({
    ok: false,
    reason: '账号已变更，请在客户端重新登录',
  })
  expect(await after(setMember({ credentialVersion: 0, status: 0 }))).toMatchObject({
    ok: false,
    reason: '账号已停用，请联系管理员启用',
  })
  await setMember({ status: 1 })()
  expect(await after(setAccount(0))).toMatchObject({ ok: false, reason: '所属企业账号已停用，请联系管理员' })
  expect(await after(setAccount(1))).toMatchObject({ ok: true })
  const leave = () => db.delete(networkMembers).where(eq(networkMembers.routerId, memberId))
  expect(await after(leave)).toMatchObject({ ok: false, reason: '该账号不在此组网中，请联系管理员' })
})

it('an open session goes on while the member has its account, and ends with it', async () => {
  const network = await createDialNetwork()
  const renewed = { renewed: true, secret: 'SESS_ID_AT_x' }
  expect(await ask(network, renewed)).toMatchObject({ ok: true })
  await db.update(routers).set({ status: 0 }).where(eq(routers.id, network.memberId))
  await readNow(routerStub(network.center))
  expect(await ask(network, renewed)).toMatchObject({ ok: false })
})

/** A profile of the member, and the token in its file. */
async function createProfile(network: DialNetwork) {
  const { accountId, id: networkId, memberId: routerId, name: routerName } = network
  const at = { issuedAt: Date.now(), issuedIp: '203.0.113.9', expiresAt: Date.now() + 86_400_000 }
  const row = { accountId, networkId, routerId, routerName, deviceName: '手机', credentialVersion: 0, ...at }
  const [profile] = await db.insert(clientProfiles).values(row).returning({ id: clientProfiles.id })
  const { id } = profile!
  const set = (over: Partial<typeof clientProfiles.$inferInsert>) =>
    db.update(clientProfiles).set(over).where(eq(clientProfiles.id, id))
  const read = async () => (await db.select().from(clientProfiles).where(eq(clientProfiles.id, id)))[0]
  return { id, secret: await network.token({ profileId: id }), set, read }
}

it('a profile lets its member dial while its row is open, and keeps the time of the last dial', async () => {
  const network = await createDialNetwork()
  const { id, secret, set, read } = await createProfile(network)
  const before = Date.now()
  expect(await ask(network, { secret })).toMatchObject({ ok: true, profile: id, credential_version: 0 })
  await until(async () => ((await read())?.lastDialAt ?? 0) >= before || undefined)
  await set({ revokedAt: Date.now() })
  const over = { ok: false, reason: '接入配置已失效，请重新下载' }
  expect(await ask(network, { secret })).toMatchObject(over)
  expect((await loginRecords(network.accountId)).map(({ reason }) => reason)).toEqual(['接入配置已失效'])
  await set({ revokedAt: null, expiresAt: 1 })
  expect(await ask(network, { secret })).toMatchObject(over)
  await db.delete(clientProfiles).where(eq(clientProfiles.id, id))
  expect(await ask(network, { secret })).toMatchObject(over)
})

it('a token of the client application names no profile', async () => {
  const network = await createDialNetwork()
  expect(await ask(network, { secret: await network.token() })).toMatchObject({
    ok: true,
    profile: null,
    credential_version: 0,
  })
})

it('a renewed session needs the version of its first dial, and its profile', async () => {
  const network = await createDialNetwork()
  const { id, set } = await createProfile(network)
  const renewed = { renewed: true, secret: 'SESS_ID_AT_x', session: 'S1', profile: id, credential_version: 0 }
  expect(await ask(network, renewed)).toMatchObject({ ok: true })
  expect(await ask(network, { ...renewed, credential_version: 1 })).toMatchObject({
    ok: false,
    reason: '账号已变更，请在客户端重新登录',
  })
  await set({ revokedAt: Date.now() })
  expect(await ask(network, renewed)).toMatchObject({ ok: false, reason: '接入配置已失效，请重新下载' })
  expect(await ask(network, { ...renewed, profile: null })).toMatchObject({ ok: true })
})

it('a profile of another member or network lets nobody dial', async () => {
  const [network, other] = [await createDialNetwork(), await createDialNetwork()]
  const { id } = await createProfile(other)
  expect(await ask(network, { secret: await network.token({ profileId: id }) })).toMatchObject({ ok: false })
})

it('a name that nobody has is refused like a wrong token, and nothing is recorded', async () => {
  const network = await createDialNetwork()
  const secret = `9~0~NW1~1800000000.${'A'.repeat(43)}`
  expect(await ask(network, { name: 'nobody@x', secret })).toEqual(await ask(network, { secret }).then(sameButId))
  expect(await loginRecords(network.accountId)).toHaveLength(1)
})
const sameButId = (answer: object) => ({ ...answer, id: expect.any(String) })

it('hostile values of a client are refused in words, cost the centre no connection and no fault', async () => {
  const faults: string[] = []
  const warn = vi.spyOn(console, 'warn').mockImplementation((line: string) => void faults.push(line))
  onTestFinished(() => warn.mockRestore())
  const network = await createDialNetwork()
  const texts = [...new Set(HOSTILE_TEXTS.map((text) => text.slice(0, 64)))]
  const offers = [
    ...texts.map((text) => ({ name: text, secret: text, remote: text, os: text, version: text })),
    ...['__proto__', '\ud800', 'a\nb', '"'].map((text) => ({ network_number: text, secret: 'x' })),
  ]
  const offenders = await findOffenders(offers)(async (offer) => {
    await new Promise((resolve) => setTimeout(resolve, DIAL_REQUEST.gapMs)) // as devices do
    const reason = expect.stringMatching(/^(拨入|账号|该账号)/)
    expect([network.device.closed, await ask(network, offer)]).toMatchObject([null, { ok: false, reason }])
  })
  expect(offenders).toEqual([])
  expect([network.device.closed, faults]).toEqual([null, []])
  expect(await ask(network, { secret: await network.token() })).toMatchObject({ ok: true })
})

it('guesses pause the member at their address; a right token passes, and no other account is counted', async () => {
  const network = await createDialNetwork()
  const guess = () => ask(network, { secret: 'guess' })
  for (let n = 0; n < DIAL_TOKEN.failures; n++) await guess()
  expect((await guess()).reason).toBe(`拨入失败次数过多，请${DIAL_TOKEN.pauseMinutes}分钟后重试`)
  expect(await ask(network, { secret: await network.token() })).toMatchObject({ ok: true })
  const other = await createDialNetwork()
  expect((await ask({ ...network, device: other.device, number: other.number }, { secret: 'guess' })).reason).toBe(
    '拨入不接受密码，请在客户端登录后再拨入',
  )
  const keys = (await db.select().from(attempts)).map(({ key }) => key)
  expect(keys.filter((key) => key.startsWith(`dial:${other.accountId}:${network.name}:`))).toHaveLength(1)
})

it('decides a few dials at once, and asks the others to wait', async () => {
  const network = await createDialNetwork()
  const request = { t: 'client_auth', network_number: network.number, name: network.name, secret: 'guess' } as const
  const from = { remote: '203.0.113.9', os: 'linux', version: '1.0.0', renewed: false }
  const sent: HubFrame[] = []
  await runInDurableObject(routerStub(network.center), async (_, { storage }) => {
    const work: Promise<unknown>[] = []
    const authorizer = new DialAuthorizer({
      env,
      hub: network.center.hub,
      storage,
      state: () => blankRouter,
      send: (frame) => sent.push(frame),
      waitUntil: (one) => work.push(one),
    })
    const ids = Array.from({ length: DIAL_TOKEN.openMax + 2 }, (_one, n) => String(n))
    for (const id of ids) authorizer.request({ ...request, ...from, id }, Date.now())
    expect(sent).toEqual(
      ids.slice(DIAL_TOKEN.openMax).map((id) => {
        return { t: 'client_auth_result', id, ok: false, reason: '拨入请求较多，请稍候重试', cause: 'DIAL_BUSY' }
      }),
    )
    await Promise.all(work)
    authorizer.request({ ...request, ...from, id: 'later' }, Date.now())
    await Promise.all(work)
  })
  expect(sent).toHaveLength(DIAL_TOKEN.openMax + 3)
  expect(sent.at(-1)).toMatchObject({ id: 'later', reason: expect.not.stringContaining('稍候') })
})

it('at a node a refusal is recorded in the account of the network, and guesses are counted there', async () => {
  const pop = await createNode()
  const { accountId, id: networkId, number, points } = await createCarried(pop, 0)
  const { id, name } = await createSoftwareRouter(accountId)
  await insertMember({ accountId, networkId, routerId: id, memberType: 'point' })
  const [areas] = await db.select().from(memberSettings).where(eq(memberSettings.routerId, points[0]!.routerId))
  const { id: _, ...setting } = areas!
  await db.insert(memberSettings).values({ ...setting, routerId: id })
  await readNow(routerStub(pop.node))
  const device = await connectOnlineDevice(pop.node)
  const expiresAt = Date.now() + 60_000
  const claims = { memberId: id, credentialVersion: 0, networkNumber: number, expiresAt, profileId: null }
  const token = (over: Partial<typeof claims> = {}) => createDialToken(env.HMAC_SECRET, { ...claims, ...over })
  const caller = { device, number, name }
  expect(await ask(caller, { secret: await token() })).toMatchObject({ ok: true })
  expect(await ask(caller, { secret: await token({ credentialVersion: 7 }) })).toMatchObject({ ok: false })
  expect(await ask(caller, { secret: 'a guess' })).toMatchObject({ ok: false })
  expect(await loginRecords(accountId)).toHaveLength(2)
  expect(await loginRecords(pop.node.accountId)).toEqual([])
})
