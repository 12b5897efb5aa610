import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { ramAccounts } from '#db/schema/accounts.ts'
import {
  type Caller,
  createFleet,
  createMainAccount,
  createNetwork,
  createSession,
  createSubAccount,
} from '#tests/support/fixtures.ts'
import { openSessions, selectAudit } from '#tests/support/identity.ts'
import { authOf, createRole, quickHash, ramInput, selectRole } from '#tests/support/rams.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const roleOf = async ({ ramId }: { readonly ramId: number }) =>
  (await db.select({ id: ramAccounts.roleId }).from(ramAccounts).where(eq(ramAccounts.id, ramId)))[0]!.id

const createNumber = async ({ accountId }: Caller) => (await insertNetwork({ accountId })).number

describe('directory 7 · ram_role/create and info', () => {
  it('keeps name, note and rights as they were sent', async () => {
    const main = await createMainAccount()
    const number = await createNumber(main)
    const auth = authOf({
      router: { edit: 1 },
      network: { edit: 1, delete: 1 },
      monitor: { view: 1 },
      number: [number],
    })
    const created = await main.call(ramRoleApi.create, { name: '值班', note: '夜间', auth })
    expect(created).toMatchObject({ code: 200, msg: '添加成功', trips: 2 })
    const { id } = created.data
    expect(await main.call(ramRoleApi.info, { id })).toMatchObject({
      data: { id, name: '值班', note: '夜间', auth, ram_count: 0, create_time: expect.any(Number) },
      trips: 1,
    })
    expect((await main.call(ramRoleApi.select, {})).data).toEqual([{ id, name: '值班' }])
    const [entry] = await selectAudit(main.accountId)
    expect(entry).toMatchObject({ module: 'ram_role', action: 'create', target: '值班', message: '添加角色“值班”' })
    expect(JSON.parse(entry!.after!)).toMatchObject({ flags: expect.any(Array), networks: [number] })
  })

  it.each(['create', 'edit', 'delete'] as const)(
    'the right to %s on monitoring brings the one to view it',
    async (right) => {
      const main = await createMainAccount()
      const id = await createRole(main, authOf({ monitor: { [right]: 1 } }))
      expect((await main.call(ramRoleApi.info, { id })).data.auth.monitor).toMatchObject({ view: 1, [right]: 1 })
    },
  )

  it.each([null, []])('the list %j stays what it is', async (number) => {
    const main = await createMainAccount()
    const id = await createRole(main, authOf({ number }))
    expect((await main.call(ramRoleApi.info, { id })).data.auth.easylink.network.number).toEqual(number)
  })

  it('refuses each fault on its field', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const [own, foreign] = [await createNumber(main), await createNumber(other)]
    await createRole(main, undefined, '值班')
    const refused = async (over: object, auth = authOf({})) =>
      main.call(ramRoleApi.create, { name: '新角色', note: '', auth, ...over })
    expect(await refused({ name: '' })).toMatchObject({ msg: '请输入角色名称', data: { field: 'name' } })
    expect(await refused({ name: '值班' })).toMatchObject({ ...refusal('RAM_ROLE_TAKEN'), data: { field: 'name' } })
    expect(await refused({ note: '长'.repeat(25) })).toMatchObject({ code: 422, data: { field: 'note' } })
    expect(await refused({}, authOf({ network: { create: 1 }, number: [own] }))).toMatchObject({
      ...refusal('RAM_ROLE_LIMITED'),
      data: { field: 'auth.easylink.network.create' },
    })
    for (const number of [foreign, '9999999999'])
      expect(await refused({}, authOf({ number: [own, number] }))).toMatchObject({
        ...refusal('RAM_ROLE_NETWORK'),
        data: { field: 'auth.easylink.network.number' },
      })
    expect((await main.call(ramRoleApi.lists, {})).count).toBe(1)
    await createRole(other, undefined, '值班') // a name is taken in its own account only
  })

  it('refuses a network that is deleted between reading and writing', async () => {
    const main = await createMainAccount()
    const number = await createNumber(main)
    const late = createTestWorker({
      afterFirstTrip: () => db.run(`delete from networks where number = '${number}'`),
    })
    const input = { name: '值班', note: '', auth: authOf({ number: [number] }) }
    expect(await late.call(ramRoleApi.create, input, main.token)).toMatchObject(refusal('RAM_ROLE_NETWORK'))
  })
})

describe('directory 7 · ram_role/lists', () => {
  it('is paged, newest first, and finds name and note', async () => {
    const main = await createMainAccount()
    for (let n = 0; n < 11; n++) await createRole(main, undefined, `角色${n}`)
    await main.call(ramRoleApi.create, { name: '夜班', note: '华东', auth: authOf({}) })
    const page = await main.call(ramRoleApi.lists, {})
    expect(page).toMatchObject({ count: 12, trips: 1 })
    expect(page.data).toHaveLength(10)
    expect(page.data[0]).toMatchObject({ name: '夜班' })
    for (const search of ['夜', '华东'])
      expect((await main.call(ramRoleApi.lists, { search })).data.map(({ name }) => name)).toEqual(['夜班'])
  })
})

describe('directory 7 · ram_role/edit', () => {
  const edit = async (main: Caller, id: number, over: object) => {
    const { name, note, auth } = (await main.call(ramRoleApi.info, { id })).data
    return main.call(ramRoleApi.edit, { id, name, note, auth, ...over })
  }

  it('with other rights counts from the next request on, signs nobody out, and touches no other role', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main, { flags: ['router:edit'] })
    const bystander = await createSubAccount(main, { flags: ['router:edit'] })
    const since = hubCalls.length
    const edited = await edit(main, await roleOf(sub), { auth: authOf({ router: { delete: 1 } }) })
    expect(edited).toMatchObject({ code: 200, msg: '修改成功', trips: 2 })
    expect(await sub.call(accountApi.service, {})).toMatchObject(refusal('SESSION_REVOKED'))
    expect((await bystander.call(accountApi.service, {})).code).toBe(200)
    expect(await openSessions(main.accountId)).toHaveLength(3)
    expect(hubCalls.slice(since)).toMatchObject([{ kind: 'account', hub: main.hub, method: 'refresh' }])
    const [entry] = await selectAudit(main.accountId)
    expect(JSON.parse(entry!.before!)).toEqual({ flags: ['router:edit'] })
    expect(JSON.parse(entry!.after!)).toEqual({ flags: ['router:delete'] })
  })

  it('with another name or note renews nothing, and the same again writes nothing', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main, { flags: ['router:edit'] })
    const [id, since] = [await roleOf(sub), hubCalls.length]
    expect((await edit(main, id, { name: '夜班', note: '华东' })).code).toBe(200)
    expect(await edit(main, id, {})).toMatchObject({ code: 200, trips: 1 })
    expect((await sub.call(accountApi.service, {})).code).toBe(200)
    expect(hubCalls.slice(since)).toEqual([])
    expect(await selectAudit(main.accountId)).toHaveLength(1)
  })

  it('takes flags in another order, as the operator may have written them, for the same', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main, { flags: ['monitor:view', 'router:edit'] })
    expect(await edit(main, await roleOf(sub), {})).toMatchObject({ code: 200, trips: 1 })
    expect((await sub.call(accountApi.service, {})).code).toBe(200)
  })

  it('refuses another role’s name, and another account’s role like one that never was', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    await createRole(main, undefined, '值班')
    const id = await createRole(main, undefined, '夜班')
    expect(await edit(main, id, { name: '值班' })).toMatchObject({
      ...refusal('RAM_ROLE_TAKEN'),
      data: { field: 'name' },
    })
    const foreign = await createRole(other)
    const before = await selectRole(foreign)
    for (const given of [foreign, 987_654_321]) {
      const input = { id: given, name: '改名', note: '', auth: authOf({}) }
      for (const answer of [
        await main.call(ramRoleApi.edit, input),
        await main.call(ramRoleApi.delete, { id: given }),
        await main.call(ramRoleApi.info, { id: given }),
      ])
        expect(answer).toMatchObject(refusal('RAM_ROLE_NOT_FOUND'))
    }
    expect(await selectRole(foreign)).toEqual(before)
  })
})

describe('directory 7 · ram_role/delete', () => {
  it('names the sub-accounts that have it, and deletes it once nobody has', async () => {
    const main = await createMainAccount({ services: { sub_account: 5 } })
    const [id, next] = [await createRole(main), await createRole(main)]
    const { call } = quickHash()
    const ram = await call(ramApi.create, ramInput(id, { username: 'desk' }), main.token)
    const refused = await main.call(ramRoleApi.delete, { id })
    expect(refused).toMatchObject({
      ...refusal('RAM_ROLE_IN_USE', { names: '“desk”' }),
      data: { field: 'id' },
      trips: 1,
    })
    const counts = async () =>
      (await main.call(ramRoleApi.lists, {})).data.map((role) => [role.id, role.ram_count] as const)
    expect(await counts()).toEqual([
      [next, 0],
      [id, 1],
    ])
    await main.call(ramApi.edit, { id: ram.data.id, role_id: next, nickname: '小王' })
    expect(await counts()).toEqual([
      [next, 1],
      [id, 0],
    ])
    expect(await main.call(ramRoleApi.delete, { id })).toMatchObject({ code: 200, msg: '删除成功', trips: 2 })
    expect(await selectRole(id)).toBeUndefined()
  })

  it('of one that somebody gets between reading and writing names that person', async () => {
    const main = await createMainAccount()
    const [id, sub] = [await createRole(main), await createSubAccount(main, { username: 'late' })]
    const late = createTestWorker({
      afterFirstTrip: () => db.update(ramAccounts).set({ roleId: id }).where(eq(ramAccounts.id, sub.ramId)),
    })
    expect(await late.call(ramRoleApi.delete, { id }, main.token)).toMatchObject(
      refusal('RAM_ROLE_IN_USE', { names: '“late”' }),
    )
    expect(await selectRole(id)).toBeDefined()
  })
})

describe('directory 3 · a deleted network leaves the list of every role', () => {
  it('and the last one leaves none instead of all', async () => {
    const { main, routers } = await createFleet({ hardware: 3, software: 0 })
    const [first, second] = [await createNetwork(main, [routers[0]!]), await createNetwork(main, [routers[1]!], '二')]
    const both = await createSubAccount(main, { networks: [first, second] })
    const one = await createSubAccount(main, { networks: [first] })
    const [all, none] = [await createSubAccount(main), await createSubAccount(main, { networks: [] })]
    const since = hubCalls.length
    expect(await main.call(networkApi.delete, { network_number: first })).toMatchObject({ code: 200, trips: 2 })
    const lists = await Promise.all(
      [both, one, all, none].map(async (sub) => (await selectRole(await roleOf(sub)))!.networks),
    )
    expect(lists).toEqual([JSON.stringify([second]), '[]', null, '[]'])
    for (const sub of [both, one]) expect((await sub.call(networkApi.lists, {})).code).toBe(2002)
    for (const sub of [all, none]) expect((await sub.call(networkApi.lists, {})).code).toBe(200)
    expect(hubCalls.slice(since)).toContainEqual(expect.objectContaining({ hub: main.hub, method: 'refresh' }))
    const again = await createSession({ ...one.session, grants: { ...one.session.grants, networks: [] } })
    expect(await again.call(networkApi.lists, {})).toMatchObject({ code: 200, count: 0, data: [] })
  })

  it('also by a role that is limited to it, and of no other account', async () => {
    const { main, routers } = await createFleet({ hardware: 1, software: 0 })
    const number = await createNetwork(main, [routers[0]!])
    const other = await createMainAccount()
    const [foreign] = [await createSubAccount(other, { networks: [number] })]
    const sub = await createSubAccount(main, { flags: ['network:delete'], networks: [number] })
    expect((await sub.call(networkApi.delete, { network_number: number })).code).toBe(200)
    expect((await selectRole(await roleOf(sub)))!.networks).toBe('[]')
    expect((await selectRole(await roleOf(foreign)))!.networks).toBe(JSON.stringify([number]))
  })
})
