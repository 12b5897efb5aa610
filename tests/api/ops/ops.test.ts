import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { opsApi } from '../../../worker/contract/ops.ts'
import { routerApi } from '../../../worker/contract/router.ts'
import { accounts, services } from '../../../worker/db/schema/accounts.ts'
import { devices, routers } from '../../../worker/db/schema/members.ts'
import { networks } from '../../../worker/db/schema/networks.ts'
import { hubOutbox } from '../../../worker/db/schema/hub-outbox.ts'
import { messages } from '../../../worker/db/schema/notices.ts'
import { activationHash } from '../../../worker/security/activation.ts'
import { selectAudit, openSessions, signIn } from '../../support/identity.ts'
import {
  createMainAccount,
  createService,
  createSubAccount,
  createMany,
  createNetwork,
  createRouter,
  createSession,
  networkRow,
  unique,
} from '../../support/fixtures.ts'
import { createTestWorker, call, db, hubCalls, refusal } from '../../support/test-worker.ts'

const phone = () => `155${String(Date.now()).slice(-5)}${String(Math.floor(Math.random() * 1000)).padStart(3, '0')}`

describe('ops · accounts', () => {
  const form = (over: object = {}) => ({ username: unique('acc'), nickname: '启明智造', password: 'Secret26', ...over })

  it('are made with flags, phone, e-mail and suffix, and sign in', async () => {
    const input = form({
      phone: phone(),
      email: `${unique('Op')}@Example.com`,
      sign: unique('s').slice(0, 9),
      quagga: 1,
    })
    const { data } = await call(opsApi.createAccount, input)
    const answer = await signIn(input.username, { password: 'Secret26' })
    expect(answer.data.user).toMatchObject({ nickname: '启明智造', auth: { quagga: 1, default_route: 0 } })
    expect((await selectAudit(data.account_id)).at(-1)).toMatchObject({
      actorKind: 'operator',
      action: 'account/create',
    })
  })

  it('refuse what is taken, on its field', async () => {
    const first = form({ phone: phone(), email: `${unique()}@example.com`, sign: unique('s').slice(0, 9) })
    await call(opsApi.createAccount, first)
    for (const [over, key] of [
      [{ username: first.username.toUpperCase() }, 'USERNAME_TAKEN'],
      [{ phone: (first as { phone?: string }).phone }, 'PHONE_TAKEN'],
      [{ email: (first as { email?: string }).email?.toUpperCase() }, 'EMAIL_TAKEN'],
      [{ sign: (first as { sign?: string }).sign }, 'SIGN_TAKEN'],
    ] as const) {
      expect(await call(opsApi.createAccount, form(over))).toMatchObject(refusal(key))
    }
    expect(await call(opsApi.createAccount, form({ password: 'admin123' }))).toMatchObject(refusal('PASSWORD_COMMON'))
    expect(await call(opsApi.createAccount, form({ phone: '12012345678' }))).toMatchObject({
      code: 422,
      data: { field: 'phone' },
    })
  })

  it('have their hubs, and those of their routers and networks, in the given place', async () => {
    const input = form({ place: 'apac' })
    const { data } = await call(opsApi.createAccount, input)
    const [row] = await db.select().from(accounts).where(eq(accounts.id, data.account_id))
    expect(row!.hub).toMatch(/^apac\.[0-9a-f]{32}$/)
    const grants = { kind: 'main', flags: [], networks: null } as const
    const caller = await createSession({ accountId: row!.id, ramId: null, username: row!.username, grants })
    await createService(row!.id, 'network_member', 1)
    const { data: box } = await call(opsApi.provisionDevice, { model: 'NL-200' })
    const claim = { router_type: 1, username: box.serial, code: box.activation_code, note: '' } as const
    expect(await caller.call(routerApi.add, claim)).toMatchObject({ code: 200 })
    const plan = { network_name: '总部', center: [box.serial], point: [] }
    expect(await caller.call(networkApi.create, plan)).toMatchObject({ code: 200 })
    const [router] = await db.select().from(routers).where(eq(routers.name, box.serial))
    const [network] = await db.select().from(networks).where(eq(networks.accountId, row!.id))
    expect([router!.hub, network!.hub]).toEqual([expect.stringMatching(/^apac\./), expect.stringMatching(/^apac\./)])
    expect(new Set([row!.hub, router!.hub, network!.hub]).size).toBe(3)
    expect(await call(opsApi.createAccount, form({ place: 'moon' as 'apac' }))).toMatchObject({ code: 422 })
  })

  it('have their hubs in the environment’s place by default', async () => {
    const { data } = await createTestWorker({ env: { HUB_PLACE: 'weur' } }).call(opsApi.createAccount, form())
    const [row] = await db.select().from(accounts).where(eq(accounts.id, data.account_id))
    expect(row!.hub).toMatch(/^weur\./)
  })

  it('are disabled with all their sessions and sub-accounts, and enabled again', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const account = main.username
    expect(await call(opsApi.setAccountStatus, { account, status: 0 })).toMatchObject({ code: 200, msg: '设置成功' })
    for (const who of [main, sub]) expect((await who.call(accountApi.service, {})).code).toBe(2002)
    expect(hubCalls.filter(({ hub, method }) => hub === main.hub && method === 'refresh')).toHaveLength(1)
    expect(await openSessions(main.accountId)).toEqual([])
    expect(await signIn(account)).toMatchObject(refusal('ACCOUNT_DISABLED'))
    await call(opsApi.setAccountStatus, { account, status: 1 })
    expect(await signIn(account)).toMatchObject({ code: 200 })
    expect((await selectAudit(main.accountId)).filter(({ action }) => action === 'account/status')).toHaveLength(2)
  })

  it('that do not exist are not found', async () => {
    const account = unique('nobody')
    expect(await call(opsApi.setAccountStatus, { account, status: 0 })).toMatchObject(refusal('ACCOUNT_NOT_FOUND'))
    expect(await call(opsApi.tokenLink, { account })).toMatchObject(refusal('ACCOUNT_NOT_FOUND'))
    expect(await call(opsApi.sendMessage, { account, title: 't', content: 'c' })).toMatchObject(
      refusal('ACCOUNT_NOT_FOUND'),
    )
  })
})

describe('ops · hubs', () => {
  it('are all refreshed, page by page, through the outbox', async () => {
    const main = await createMainAccount({ services: { network_member: 10 } })
    const fleet = await createMany(3, () => createRouter(main.accountId))
    const number = await createNetwork(main, fleet)
    const { hub: networkHub } = await networkRow(number)
    const since = hubCalls.length
    const pages = []
    for (let after: string | undefined; ;) {
      const { code, data } = await call(opsApi.refreshHubs, after === undefined ? {} : { after })
      expect(code).toBe(200)
      pages.push(data.queued)
      if (data.next === null) break
      after = data.next
    }
    expect(pages.length).toBeGreaterThanOrEqual(3)
    const called = JSON.stringify(hubCalls.slice(since))
    for (const hub of [main.hub, networkHub, ...fleet.map((router) => router.hub)]) expect(called).toContain(hub)
    expect(await db.select().from(hubOutbox)).toEqual([])
  })

  it('go on behind the row that the caller names, and refuse a place that is none', async () => {
    const main = await createMainAccount()
    const [first, second] = await createMany(2, () => createRouter(main.accountId))
    const since = hubCalls.length
    const { data } = await call(opsApi.refreshHubs, { after: `router:${first!.id}` })
    const called = JSON.stringify(hubCalls.slice(since))
    expect([called.includes(first!.hub), called.includes(second!.hub)]).toEqual([false, true])
    expect(data.queued).toBeGreaterThan(0)
    for (const after of ['hub:1', 'router:', 'router:1.5', ''])
      expect(await call(opsApi.refreshHubs, { after })).toMatchObject({ code: 422, data: { field: 'after' } })
  })
})

describe('ops · services', () => {
  const day = 86_400_000
  const form = (account: string, over: object = {}) => ({
    account,
    kind: 'network_member' as const,
    name: '智能组网标准版',
    quantity: 10,
    start_time: Date.now() - day,
    expired_time: Date.now() + day,
    ...over,
  })

  it('are given once and renewed under their name', async () => {
    const main = await createMainAccount()
    const first = await call(opsApi.setService, form(main.username))
    const again = await call(opsApi.setService, form(main.username, { quantity: 20 }))
    const other = await call(opsApi.setService, form(main.username, { name: '加购包', quantity: 5 }))
    expect(again.data.service_id).toBe(first.data.service_id)
    expect(other.data.service_id).not.toBe(first.data.service_id)
    const rows = await db.select().from(services).where(eq(services.accountId, main.accountId))
    expect(rows.map(({ quantity }) => quantity)).toEqual([20, 5])
    expect((await main.call(accountApi.service, {})).count).toBe(2)
  })

  it('must end after they begin', async () => {
    const main = await createMainAccount()
    const answer = await call(opsApi.setService, form(main.username, { expired_time: Date.now() - 2 * day }))
    expect(answer).toMatchObject({ code: 422, msg: '到期时间必须晚于开始时间', data: { field: 'expired_time' } })
  })

  it.each([{ start_time: 1.5 }, { expired_time: 1e300 }, { start_time: -1 }, { quantity: 2 ** 52 }, { quantity: 0.5 }])(
    'refuse %j instead of failing on it',
    async (over) => {
      const { username } = await createMainAccount()
      expect(await call(opsApi.setService, form(username, over))).toMatchObject({ code: 422, reason: 'INPUT_INVALID' })
    },
  )
})

describe('ops · sub-accounts', () => {
  it('are made with a role of their own and sign in as name@suffix', async () => {
    const { username: account } = await createMainAccount()
    const input = {
      account,
      username: 'ops',
      nickname: '运维',
      password: 'Secret26',
      role: '网络运维',
      flags: ['network:edit' as const],
      networks: ['N1'],
    }
    const { data } = await call(opsApi.createRam, input)
    const answer = await signIn(data.login_name, { password: 'Secret26' }, { kind: 'ram' })
    expect(answer.data.user).toMatchObject({ ram: 1, nickname: '运维', flags: ['network:edit'], networks: ['N1'] })
    expect(await call(opsApi.createRam, { ...input, username: 'two' })).toMatchObject(refusal('RAM_ROLE_TAKEN'))
    expect(await call(opsApi.createRam, { ...input, role: '另一角色' })).toMatchObject(refusal('RAM_NAME_TAKEN'))
  })
})

describe('ops · devices', () => {
  it('get a code that is shown once and kept as a hash', async () => {
    const serial = `NL-${unique('').toUpperCase()}`
    const { data } = await call(opsApi.provisionDevice, { serial, model: 'NL-R220' })
    expect(data).toMatchObject({
      serial,
      activation_code: expect.stringMatching(/^([2-9A-HJKMNP-Z]{4}-){2}[2-9A-HJKMNP-Z]{4}$/),
    })
    const [row] = await db.select().from(devices).where(eq(devices.serial, serial))
    const typed = ` ${data.activation_code.toLowerCase().replaceAll('-', ' ')} `
    expect(row!.activationHash).toBe(await activationHash(env.HMAC_SECRET, serial.toLowerCase(), typed))
    expect(await call(opsApi.provisionDevice, { serial, model: 'x' })).toMatchObject(refusal('SERIAL_TAKEN'))
    expect((await call(opsApi.provisionDevice, { model: 'NL-R220' })).data.serial).toMatch(/^NL-[2-9A-Z]{10}$/)
  })

  it('lose their key and get a new code on a reset', async () => {
    const { data } = await call(opsApi.provisionDevice, { model: 'NL-R220' })
    await db.update(devices).set({ publicKey: '{}', keyAt: 1 }).where(eq(devices.serial, data.serial))
    const again = await call(opsApi.resetDevice, { serial: data.serial.toLowerCase() })
    expect(again.data.serial).toBe(data.serial)
    const [row] = await db.select().from(devices).where(eq(devices.serial, data.serial))
    expect(row).toMatchObject({ publicKey: null, keyAt: null })
    expect(row!.activationHash).toBe(await activationHash(env.HMAC_SECRET, data.serial, again.data.activation_code))
    expect(await call(opsApi.resetDevice, { serial: 'NL-UNKNOWN' })).toMatchObject(refusal('DEVICE_NOT_FOUND'))
  })
})

describe('ops · messages', () => {
  it('go to one account, and its account hub is notified', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    const input = { account: mine.username, title: '设备发货通知', content: '已发货' }
    const { data } = await call(opsApi.sendMessage, input)
    const [row] = await db.select().from(messages).where(eq(messages.id, data.message_id))
    expect(row).toMatchObject({ accountId: mine.accountId, title: input.title, status: 0, type: '系统' })
    expect((await mine.call(accountApi.info, {})).data.message_count).toBe(1)
    expect((await other.call(accountApi.info, {})).data.message_count).toBe(0)
    expect(hubCalls.filter(({ hub, method }) => hub === mine.hub && method === 'refresh')).toHaveLength(1)
  })
})

it('every operator call that writes leaves a row in the audit log', async () => {
  const main = await createMainAccount()
  const account = main.username
  await call(opsApi.publishAnnouncement, { title: unique('公告'), content: 'x' })
  await call(opsApi.tokenLink, { account })
  await call(opsApi.sendMessage, { account, title: 't', content: 'c' })
  const own = (await selectAudit(main.accountId)).map(({ action }) => action)
  expect(own).toEqual(['message/send', 'login/token_link'])
  const serviceActions = (await selectAudit(0)).map(({ action }) => action)
  expect(serviceActions).toContain('announcement/publish')
  expect(serviceActions).toContain('device/reset')
})
