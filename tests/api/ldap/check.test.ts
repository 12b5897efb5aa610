import { and, eq, isNotNull } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ldapApi } from '#contract/ldap/index.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { services } from '#db/schema/accounts.ts'
import { ldapConfigs } from '#db/schema/ldap.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { NOTICE, phonesLeftText } from '#domain/ldap/form.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import { entry } from '#tests/support/directory.ts'
import { FORM, createCompany, createConnected } from '#tests/support/directory-company.ts'
import { insertDevice, insertRouter } from '#tests/support/rows.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

/** A hardware member of the account, with such a state. */
async function createHardware(accountId: number, state: Partial<typeof routerStates.$inferInsert> | null, over = {}) {
  const device = await insertDevice()
  const router = await insertRouter({ accountId, name: device.serial, deviceId: device.id, ...over })
  if (state) await db.insert(routerStates).values({ routerId: router.id, ...state })
  return router
}

describe('directory 7 · ldap/check', () => {
  it('that asks no device to dial does not count: ten a minute are left', async () => {
    const { call, directory, accountId } = await createCompany([])
    const { name } = await createHardware(accountId, { presence: 'online' })
    const form = { ...FORM, mode: 'private', router_name: name, domain: 'corp.acme.com' } as const
    for (const reason of ['router_offline', 'router_too_old'] as const) {
      directory.unreachable = new DirectoryError(reason)
      for (let i = 0; i < LDAP.checkRate.limit; i++)
        expect(await call(ldapApi.check, form)).toMatchObject(
          refusal(`LDAP_${reason.toUpperCase() as 'ROUTER_OFFLINE'}`),
        )
    }
    for (let i = 0; i < LDAP.checkRate.limit; i++)
      expect(await call(ldapApi.check, { ...form, router_name: '' })).toMatchObject(refusal('LDAP_ROUTER_REQUIRED'))
    for (let i = 0; i < LDAP.checkRate.limit; i++)
      expect(await call(ldapApi.check, { ...FORM, domain: 'unproved.com', host: 'unproved.com' })).toMatchObject({
        code: 423,
        reason: 'LDAP_DOMAIN_UNPROVED',
      })
    directory.unreachable = new DirectoryError('router_refused')
    for (let i = 0; i < LDAP.checkRate.limit; i++)
      expect(await call(ldapApi.check, form)).toMatchObject(refusal('LDAP_ROUTER_REFUSED'))
    expect((await call(ldapApi.check, form)).code).toBe(429)
  })

  it('says of a phone that it does not understand, and takes one with its dial code', async () => {
    const users = Array.from({ length: 8 }, (_, i) => entry(`u${i}`))
    users[1] = entry('u1', { phones: ['+852 9123 4567'] })
    users[7] = entry('u7', { phones: ['见名片'] })
    const { call, accountId, run } = await createCompany(users)
    const { data, notice } = await call(ldapApi.check, FORM)
    expect(data).toMatchObject({ count: 8, phones_left: 1 })
    expect(data.sample.map(({ username, phone, phone_left }) => [username, phone || phone_left])).toEqual([
      ['u0', ''],
      ['u1', '+852 91234567'],
      ['u2', ''],
      ['u3', ''],
      ['u7', '手机号无法识别'],
    ])
    expect(notice).toEqual([phonesLeftText(1)])
    await call(ldapApi.save, FORM)
    await run()
    const { hash } = await call(ldapApi.user, {})
    await call(ldapApi.importAll, { hash })
    const stored = () =>
      db
        .select({ areaCode: routers.areaCode, phone: routers.phone })
        .from(routers)
        .where(and(eq(routers.accountId, accountId), isNotNull(routers.phone)))
    expect(await stored()).toEqual([{ areaCode: '852', phone: '91234567' }])
    users[1] = entry('u1', { phones: ['+44 07911 123456'] })
    await call(ldapApi.restartSync, {})
    await run()
    await call(ldapApi.sync, { hash: (await call(ldapApi.user, {})).hash })
    expect(await stored()).toEqual([{ areaCode: '44', phone: '7911123456' }])
    expect((await call(ldapApi.plan, {})).data).toMatchObject({ changed: 0 })
    const { data: runs } = await call(ldapApi.runs, {})
    await call(ldapApi.undo, { id: runs[0]!.id })
    expect(await stored()).toEqual([{ areaCode: '852', phone: '91234567' }])
  })

  it('that finds nobody says so', async () => {
    const { call, directory } = await createCompany([])
    expect(await call(ldapApi.check, FORM)).toMatchObject({ code: 200, data: { count: 0 }, notice: [NOTICE.nobody] })
    directory.users = (await createConnected()).directory.users
    expect(await call(ldapApi.check, FORM)).toMatchObject({ code: 200, data: { count: 3 }, notice: [] })
  })
})

describe('directory 2 · ldap/hardware', () => {
  it('lists hardware with its fitness, those first that can lead to a directory now', async () => {
    const { call, accountId } = await createCompany([])
    const never = await createHardware(accountId, null)
    const fit = await createHardware(accountId, { presence: 'online', tunnel: 1 }, { note: '机房' })
    const old = await createHardware(accountId, { presence: 'online', tunnel: 0 })
    const unknown = await createHardware(accountId, { presence: 'online' })
    const disabled = await createHardware(accountId, { presence: 'disabled', tunnel: 1 })
    await db.update(routers).set({ status: 0 }).where(eq(routers.id, disabled.id))
    await insertRouter({ accountId, name: `soft${accountId}@x`, routerType: 2, password: '' })
    const other = await createCompany([])
    await createHardware(other.accountId, { presence: 'online', tunnel: 1 })
    const { data, trips } = await call(ldapApi.hardware, {})
    expect(trips).toBe(1)
    expect(
      data.map(({ router_name, note, status, online, tunnel }) => [router_name, note, status, online, tunnel]),
    ).toEqual([
      [unknown.name, '', 1, 1, null],
      [fit.name, '机房', 1, 1, 1],
      [old.name, '', 1, 1, 0],
      [disabled.name, '', 0, 0, 1],
      [never.name, '', 1, 0, null],
    ])
    expect((await call(ldapApi.hardware, { search: '机' })).data.map(({ router_name }) => router_name)).toEqual([
      fit.name,
    ])
  })
})

describe('directory 4 · closing and undo', () => {
  it('answers what undo takes, and undo says what it did', async () => {
    const { call, accountId, sign } = await createConnected()
    await call(ldapApi.importAll, { hash: (await call(ldapApi.user, {})).hash })
    const closed = await call(ldapApi.delete, { confirm: 3 })
    expect(closed).toMatchObject({ code: 200, data: { id: expect.any(String) } })
    await insertRouter({ accountId, name: `u1@${sign}`, routerType: 2, password: '' })
    expect(await call(ldapApi.undo, { id: closed.data.id })).toMatchObject({
      code: 200,
      msg: 'LDAP接入已恢复，恢复 2，未恢复 1：名称已被占用',
      data: { restored: 2, left: 1, reopened: 1 },
    })
    const { data } = await call(ldapApi.runs, {})
    expect(data[0]).toMatchObject({ kind: 'undo', left: 1, left_reason: '名称已被占用' })
  })

  it('undo restores as many as the quota has seats for, says so, and a later one restores the others', async () => {
    const { call, accountId, sign } = await createConnected()
    await call(ldapApi.importAll, { hash: (await call(ldapApi.user, {})).hash })
    const keysOf = async () => {
      const rows = await db.select().from(routers).where(eq(routers.accountId, accountId))
      return rows.filter(({ source }) => source === 'ldap').map(({ uid }) => uid)
    }
    const setQuota = (quantity: number) =>
      db
        .update(services)
        .set({ quantity })
        .where(and(eq(services.accountId, accountId), eq(services.kind, 'software_member')))
    const before = await keysOf()
    const closed = await call(ldapApi.delete, { confirm: 3 })
    await insertRouter({ accountId, name: `hand@${sign}`, routerType: 2, password: '' })
    await setQuota(2)
    const undo = () => call(ldapApi.undo, { id: closed.data.id })
    const seats = '软件成员配额不足（增加后可再次撤销）'
    expect(await undo()).toMatchObject({
      code: 200,
      msg: `LDAP接入已恢复，恢复 1，未恢复 2：${seats}`,
      data: { restored: 1, left: 2, reason: seats, reopened: 1 },
    })
    expect(await keysOf()).toHaveLength(1)
    const { data } = await call(ldapApi.runs, {})
    expect(data[0]).toMatchObject({ kind: 'undo', can_undo: 0, left: 2, left_reason: seats })
    expect(data[1]).toMatchObject({ kind: 'close', can_undo: 1, id: closed.data.id })
    const configs = () => db.select().from(ldapConfigs).where(eq(ldapConfigs.accountId, accountId))
    const config = await configs()
    // Without a seat it is refused, and stays.
    expect(await undo()).toMatchObject(refusal('LDAP_UNDO_NONE', { left: 2, reason: seats }))
    await setQuota(3)
    expect(await undo()).toMatchObject({ msg: `恢复 1，1 个无需恢复，未恢复 1：${seats}`, data: { reopened: 0 } })
    await setQuota(10)
    expect(await undo()).toMatchObject({ msg: '恢复 1，2 个无需恢复', data: { restored: 1, left: 0 } })
    expect((await keysOf()).toSorted()).toEqual(before.toSorted())
    expect(await undo()).toMatchObject(refusal('LDAP_UNDO_GONE'))
    const [{ revision, createdAt } = config[0]!] = config
    expect(await configs()).toMatchObject([{ revision, createdAt }]) // it came back once
  })
})
