import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { accounts, ramRoles } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { selectAudit, openSessions, signIn } from '#tests/support/identity.ts'
import { createMainAccount, createService, createSubAccount, createSession, unique } from '#tests/support/fixtures.ts'
import { createTestWorker, call, db, hashes, hubCalls, refusal } from '#tests/support/test-worker.ts'

const phone = () => `155${String(Date.now()).slice(-5)}${String(Math.floor(Math.random() * 1000)).padStart(3, '0')}`

describe('design 1 · ops · accounts', () => {
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

describe('design 1 · ops · sub-accounts', () => {
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
    const before = hashes.length
    expect(await call(opsApi.createRam, { ...input, username: 'two' })).toMatchObject(refusal('RAM_ROLE_TAKEN'))
    for (const username of ['ops', 'OPS'])
      expect(await call(opsApi.createRam, { ...input, username, role: '另一角色' })).toMatchObject(
        refusal('RAM_NAME_TAKEN'),
      )
    expect(hashes).toHaveLength(before)
  })

  it('a role that is changed: its people go on by the new rights, others of the account as before', async () => {
    const main = await createMainAccount()
    const [sub, other] = [await createSubAccount(main, { flags: ['router:edit'] }), await createSubAccount(main)]
    const roles = await db.select().from(ramRoles).where(eq(ramRoles.accountId, main.accountId)).orderBy(ramRoles.id)
    const role = roles[0]!.name
    const input = { account: main.username, role, networks: ['N1'] }
    expect(await call(opsApi.editRole, input)).toMatchObject({ code: 200, msg: '修改成功' })
    expect(await sub.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
    for (const who of [main, other]) expect((await who.call(accountApi.info, {})).code).toBe(200)
    expect(hubCalls.filter(({ hub, method }) => hub === main.hub && method === 'refresh')).toHaveLength(1)
    const { data } = await signIn(sub.username, {}, { kind: 'ram' })
    expect(data.user).toMatchObject({ flags: ['router:edit'], networks: ['N1'] })
    expect((await selectAudit(main.accountId)).find(({ action }) => action === 'ram/role')).toMatchObject({
      actorKind: 'operator',
      target: role,
      before: JSON.stringify({ networks: null }),
      after: JSON.stringify({ networks: ['N1'] }),
    })
    const rows = (await selectAudit(main.accountId)).length
    expect((await call(opsApi.editRole, input)).code).toBe(200) // it is so already
    expect(await selectAudit(main.accountId)).toHaveLength(rows)
    for (const wrong of [
      { ...input, role: 'nobody' },
      { ...input, account: unique('nobody') },
    ])
      expect(await call(opsApi.editRole, wrong)).toMatchObject(refusal('RAM_ROLE_NOT_FOUND'))
  })
})
