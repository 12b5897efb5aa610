import { eq } from 'drizzle-orm'
import { env } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { clientApi } from '#contract/client/index.ts'
import { CLIENT } from '#contract/client/limits.ts'
import { loginApi } from '#contract/login/index.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { logsApi } from '#contract/logs/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { FAILURE_WORK } from '#contract/verify/limits.ts'
import { accounts, services } from '#db/schema/accounts.ts'
import { clientSessions } from '#db/schema/clients.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { memberPasswordPlace, seal } from '#security/sealed.ts'
import {
  clientLogin,
  createClients,
  disableAccount,
  loginRecords,
  readProfile,
  solvedChallenge,
} from '#tests/support/clients.ts'
import { PASSWORD, createSubAccount } from '#tests/support/fixtures.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { call, createTestWorker, db, hashes, refusal } from '#tests/support/test-worker.ts'

const wrong = { password: 'Wrong2026' }
/** Fixed result of the password check, for tests that are not about the hash. */
const answering = (isRight: boolean) =>
  createTestWorker({ passwords: () => ({ run: async () => ({ isRight, hash: null }) }) }).call
const { failures, pauseMinutes } = LOGIN_GUARD

describe('account 1 · client/login', () => {
  it('signs a member in in two round trips, with tokens, a session and a record that says where', async () => {
    const [member] = await createClients()
    const device = { os: 'linux', version: '1.2.3', sys_brand: 'Dell', sys_model: 'X1', sys_version: '24.04' } as const
    const reply = await clientLogin(member!.name, device, { ip: '203.0.113.9' })
    expect(reply).toMatchObject({ code: 200, trips: 2, data: { router_name: member!.name, token_expire_time: 1800 } })
    expect(await readProfile(reply.data.access_token)).toMatchObject({ code: 200, trips: 1 })
    const [row] = await db.select().from(clientSessions).where(eq(clientSessions.routerId, member!.id))
    expect(row).toMatchObject({ os: 'linux', clientVersion: '1.2.3', ip: '203.0.113.9', endedAt: null })
    expect(await loginRecords(member!.main.accountId)).toMatchObject([
      { routerName: member!.name, ok: 1, reason: '', ip: '203.0.113.9', sysModel: 'X1', sysVersion: '24.04' },
    ])
    const listed = await member!.main.call(routerApi.software, {})
    expect(listed.data[0]).toMatchObject({ os: 'linux', version: '1.2.3' })
  })

  it.each([
    ['capitals', (name: string) => name.toUpperCase()],
    ['blanks', (name: string) => ` ${name} `],
    ['full width', (name: string) => name.replace('@', '＠')],
  ])('%s are the same name', async (_, spell) => {
    const [member] = await createClients()
    expect(await clientLogin(spell(member!.name))).toMatchObject({ code: 200, data: { router_name: member!.name } })
  })

  it('a password that waits for its hash signs in', async () => {
    const [member] = await createClients()
    const { accountId } = member!.main
    const [row] = await db.select().from(routers).where(eq(routers.id, member!.id))
    const passwordSealed = await seal(env.SEAL_KEYS, memberPasswordPlace(accountId, row!.hub), 'Sealed26')
    await db.update(routers).set({ password: '', passwordSealed }).where(eq(routers.id, member!.id))
    expect(await clientLogin(member!.name, wrong)).toMatchObject(refusal('LOGIN_FAILED'))
    expect(await clientLogin(member!.name, { password: 'Sealed26' })).toMatchObject({ code: 200 })
  })

  it('a password that changes while it is checked does not open a session', async () => {
    const [member] = await createClients()
    const worker = createTestWorker({
      afterFirstTrip: () => db.update(routers).set({ password: 'changed' }).where(eq(routers.id, member!.id)),
    })
    const reply = await worker.call(clientApi.login, { username: member!.name, password: PASSWORD })
    expect(reply).toMatchObject(refusal('LOGIN_FAILED'))
    expect(await db.$count(clientSessions, eq(clientSessions.routerId, member!.id))).toBe(0)
  })

  it('the hash is one of a visitor’s', async () => {
    const [member] = await createClients()
    const since = hashes.length
    await clientLogin(member!.name)
    expect(hashes.slice(since).map(({ client }) => client)).toMatchObject([{ isAnonymous: true }])
  })

  it('the newest sign-in says what the application can do; one of an older application says nothing', async () => {
    const [member] = await createClients()
    const capabilities = async () =>
      (await db.select().from(routerStates).where(eq(routerStates.routerId, member!.id)))[0]?.clientCapabilities
    await clientLogin(member!.name, { capabilities: ['ciphers:sm'] })
    expect(await capabilities()).toBe('["ciphers:sm"]')
    await clientLogin(member!.name)
    expect(await capabilities()).toBeNull()
    const long = { capabilities: Array.from({ length: CLIENT.capabilitiesMax + 1 }, () => 'x') }
    expect(await clientLogin(member!.name, long)).toMatchObject({ code: 422, data: { field: 'capabilities' } })
  })

  it('a member keeps its newest sessions', async () => {
    const [member] = await createClients()
    const send = answering(true)
    const signIn = () => send(clientApi.login, { username: member!.name, password: PASSWORD }, { ip: nextAddress() })
    const first = await signIn()
    for (let i = 1; i < CLIENT.sessionsMax; i++) await signIn()
    expect((await readProfile(first.data.access_token)).code).toBe(200)
    await signIn()
    expect(await readProfile(first.data.access_token)).toMatchObject(refusal('SESSION_REVOKED'))
  })
})

describe('network 4 · who may not sign in learns why, once the password was right', () => {
  it('a disabled member, a disabled account, a service that is over; each leaves a record', async () => {
    const [a, b, c] = [(await createClients())[0]!, (await createClients())[0]!, (await createClients())[0]!]
    await a.main.call(routerApi.updateStatus, { router_name: a.name, status: 0 })
    await disableAccount(b.main.accountId)
    await db
      .update(services)
      .set({ expireAt: Date.now() - 1_000 })
      .where(eq(services.accountId, c.main.accountId))
    const replies = await Promise.all([a, b, c].map(({ name }) => clientLogin(name)))
    expect(replies).toMatchObject([
      refusal('MEMBER_DISABLED'),
      refusal('MEMBER_ACCOUNT_DISABLED'),
      refusal('MEMBER_SERVICE_EXPIRED'),
    ])
    const reasons = await Promise.all(
      [a, b, c].map(async ({ main }) => (await loginRecords(main.accountId))[0]?.reason),
    )
    expect(reasons).toEqual(['成员已停用', '企业账号已停用', '软件成员服务已到期'])
    expect(await clientLogin(a.name, wrong)).toMatchObject(refusal('LOGIN_FAILED'))
  })
})

describe('account 9 · five failures pause the member at that address', () => {
  it('nobody else: the owner signs in from another one, and another member from this one', async () => {
    const [member, colleague] = await createClients(2)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const ip = nextAddress()
    const send = answering(false)
    for (let i = 0; i < failures; i++)
      expect(await send(clientApi.login, { username: member!.name, ...wrong }, { ip })).toMatchObject(
        refusal('LOGIN_FAILED'),
      )
    const since = hashes.length
    expect(await clientLogin(member!.name, {}, { ip })).toMatchObject({ code: 429, reason: 'LOGIN_PAUSED' })
    expect(hashes.length).toBe(since) // refused before any hash
    expect(await clientLogin(colleague!.name, {}, { ip })).toMatchObject({ code: 200 })
    expect(await clientLogin(member!.name)).toMatchObject({ code: 200 })
    vi.setSystemTime(Date.now() + pauseMinutes * 60_000)
    expect(await clientLogin(member!.name, {}, { ip })).toMatchObject({ code: 200 })
  })

  it('many failures from everywhere ask for work, which is good once, and lock nobody out', async () => {
    const [member] = await createClients()
    const send = answering(false)
    for (let i = 0; i < FAILURE_WORK.perAccount; i++)
      await send(clientApi.login, { username: member!.name, ...wrong }, { ip: nextAddress() })
    const asked = await clientLogin(member!.name)
    expect(asked).toMatchObject({ reason: 'WORK_REQUIRED', data: { difficulty: expect.any(Number) } })
    const work = await solvedChallenge()
    expect(await clientLogin(member!.name, work)).toMatchObject({ code: 200 })
    expect(await clientLogin(member!.name, work)).toMatchObject(refusal('CHALLENGE_WRONG'))
  }, 60_000)

  it('a new password forgets the failures', async () => {
    const [member] = await createClients()
    const { name: router_name, main } = member!
    const ip = nextAddress()
    const send = answering(false)
    for (let i = 0; i <= failures; i++) await send(clientApi.login, { username: router_name, ...wrong }, { ip })
    await db
      .update(accounts)
      .set({ email: `${main.username}@example.cn` })
      .where(eq(accounts.id, main.accountId))
    expect(await main.call(routerApi.password, { router_name, password: 'Neues26x' })).toMatchObject({ code: 200 })
    expect(await clientLogin(router_name, { password: 'Neues26x' }, { ip })).toMatchObject({ code: 200 })
  })
})

describe('directory 7 · logs/software_login', () => {
  it('shows sign-ins and failed tries to the main account alone; a pause writes none', async () => {
    const [member] = await createClients()
    const ip = nextAddress()
    const send = answering(false)
    for (let i = 0; i < failures + 2; i++)
      await send(clientApi.login, { username: member!.name, ...wrong, os: 'ios' }, { ip })
    await clientLogin(member!.name, { os: 'ios', version: '2.0' })
    const { main } = member!
    const { data, count } = await main.call(logsApi.softwareLogin, { router_name: member!.name })
    expect(count).toBe(failures + 1)
    expect(data[0]).toMatchObject({ success: 1, os: 'ios', version: '2.0', reason: '' })
    expect(data[1]).toMatchObject({ success: 0, ip, reason: '密码错误' })
    const sub = await createSubAccount(main, { flags: ['router:edit'] })
    expect(await sub.call(logsApi.softwareLogin, {})).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})

describe('design 4 · tokens of the client and of the console', () => {
  it('neither is taken for the other', async () => {
    const [member] = await createClients()
    const { access_token, refresh_token } = (await clientLogin(member!.name)).data
    expect(await call(routerApi.lists, {}, access_token)).toMatchObject(refusal('TOKEN_BAD'))
    expect(await readProfile(member!.main.token)).toMatchObject(refusal('PERMISSION_DENIED'))
    const cookie = `netloom_refresh=${refresh_token}`
    expect(await call(loginApi.refresh, {}, { cookie })).toMatchObject(refusal('TOKEN_BAD'))
  })
})
