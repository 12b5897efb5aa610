import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { selectAudit } from '#tests/support/identity.ts'
import {
  createMainAccount,
  createService,
  createSoftwareRouter,
  createSubAccount,
  unique,
} from '#tests/support/fixtures.ts'
import { insertMember, insertMessage, insertNetwork } from '#tests/support/rows.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

describe('account 7 · account/info', () => {
  it('answers the user, masked, with the unread count, in one round trip', async () => {
    const phone = `136${String(Date.now()).slice(-8)}`
    const main = await createMainAccount({
      phone,
      email: `${unique('zhang')}@qiming.com.cn`,
      sign: unique('s').slice(0, 9),
      quagga: 1,
    })
    const { accountId } = main
    for (const readBy of [[], [], [`main:${accountId}`]]) await insertMessage({ accountId, readBy })
    const answer = await main.call(accountApi.info, {})
    expect(answer).toMatchObject({
      code: 200,
      trips: 1,
      data: {
        username: main.username,
        user_phone: `+86 136****${phone.slice(-4)}`,
        user_email: 'z***@q***.cn',
        message_count: 2,
        ram: 0,
        auth: { quagga: 1, quagga_advanced: 0, default_route: 0 },
        networks: null,
      },
    })
  })

  it('hides personal data of the account holder from a sub-account', async () => {
    const main = await createMainAccount({
      email: `${unique()}@example.com`,
      birthday: '1990-01-01',
      industry: 'I12',
    })
    const sub = await createSubAccount(main, { flags: ['monitor:edit'], networks: [] })
    const { data } = await sub.call(accountApi.info, {})
    expect(data).toMatchObject({
      ram: 1,
      username: sub.username,
      nickname: '测试子账号',
      flags: ['monitor:edit'],
      networks: [],
    })
    expect([data.user_email, data.user_phone, data.birthday, data.industry]).toEqual(['', '', '', ''])
  })

  it('needs a session', async () => {
    expect(await call(accountApi.info, {})).toMatchObject(refusal('TOKEN_BAD'))
  })
})

describe('account 7 · account/service', () => {
  it('pages the account’s own services, newest first, with their number', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    for (let i = 1; i <= 12; i++) await createService(mine.accountId, 'bandwidth', i, { name: `带宽 ${i}` })
    await createService(other.accountId, 'bandwidth', 99)
    const first = await mine.call(accountApi.service, {})
    expect(first).toMatchObject({ count: 12, trips: 1 })
    expect(first.data.map(({ quantity }) => quantity)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    const second = await mine.call(accountApi.service, { page: '2' })
    expect(second.data.map(({ service_name }) => service_name)).toEqual(['带宽 2', '带宽 1'])
    expect((await mine.call(accountApi.service, { page: 3 })).data).toEqual([])
  })

  it('says of each its state, what is left, how much of its kind is in use and what stops with it', async () => {
    const main = await createMainAccount()
    const { accountId } = main
    const day = 86_400_000
    const at = (startDays: number, endDays: number) => ({
      startAt: Date.now() + startDays * day,
      expireAt: Date.now() + endDays * day,
    })
    await createService(accountId, 'software_member', 5, { name: '已到期', ...at(-10, -1) })
    await createService(accountId, 'center', 1, { name: '未生效', ...at(1, 400) })
    await createService(accountId, 'bandwidth', 100, { name: '生效中', ...at(-1, 400) })
    await createService(accountId, 'software_member', 10, { name: '即将到期', ...at(-1, 2.5) })
    await createSoftwareRouter(accountId)
    const { data } = await main.call(accountApi.service, {})
    const quota = { used: 1, total: 10 }
    expect(data).toMatchObject([
      { service_name: '即将到期', kind: 'software_member', state: 'ending', days_left: 3, quota },
      { service_name: '生效中', kind: 'bandwidth', state: 'active', days_left: 400, quota: null },
      { service_name: '未生效', kind: 'center', state: 'pending', quota: null },
      { service_name: '已到期', kind: 'software_member', state: 'expired', days_left: 0, quota },
    ])
    expect(data.every(({ stops }) => stops !== '')).toBe(true)
    const sub = await createSubAccount(main, { networks: [] })
    expect((await sub.call(accountApi.service, {})).data).toHaveLength(4)
  })

  it.each(['0', '-1', 'x', '1e9'])('refuses page %s', async (page) => {
    const { call: ask } = await createMainAccount()
    expect((await ask(accountApi.service, { page })).code).toBe(422)
  })
})

describe('account 7 · account/edit_sign', () => {
  const aSign = () => unique('s').slice(0, 9)
  const software = async (accountId: number, name: string) => {
    const { id } = await createSoftwareRouter(accountId, { name })
    return id
  }
  const selectName = async (id: number) => (await db.select().from(routers).where(eq(routers.id, id)))[0]!.name

  it('sets the suffix, and a later one renames the software members and notifies their networks', async () => {
    const main = await createMainAccount()
    const [first, second] = [aSign(), aSign()]
    expect(await main.call(accountApi.editSign, { sign: first })).toMatchObject({
      code: 200,
      msg: '保存成功',
      trips: 2,
    })
    const id = await software(main.accountId, `wang.lei@${first}`)
    const { accountId } = main
    const network = await insertNetwork({ accountId })
    await insertMember({ accountId, networkId: network.id, routerId: id, memberType: 'point' })

    expect(await main.call(accountApi.editSign, { sign: second })).toMatchObject({ code: 200, trips: 2 })
    expect(await selectName(id)).toBe(`wang.lei@${second}`)
    expect((await main.call(accountApi.info, {})).data.sign).toBe(second)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({
      action: 'edit_sign',
      message: '修改账号后缀，1个软件成员随之改名',
      before: JSON.stringify({ sign: first }),
      after: JSON.stringify({ sign: second }),
    })
    expect(hubCalls.filter(({ hub }) => hub === network.hub)).toHaveLength(1)
    // A plan or a removal that was made with the old names is refused, or reads again.
    const [after] = await db.select().from(networks).where(eq(networks.number, network.number))
    expect(after?.revision).toBe(2)
    const plan = { network_number: network.number, network_name: '新名', center: [], point: [], revision: 1 }
    expect(await main.call(networkApi.edit, plan)).toMatchObject(refusal('NETWORK_CHANGED'))
  })

  it('renames no members of other accounts and no hardware', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    const id = await software(other.accountId, `li.na@${aSign()}`)
    const before = await selectName(id)
    await mine.call(accountApi.editSign, { sign: aSign() })
    expect(await selectName(id)).toBe(before)
  })

  it('refuses a suffix that is taken, in any case, and writes nothing', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    const sign = aSign()
    await other.call(accountApi.editSign, { sign })
    const answer = await mine.call(accountApi.editSign, { sign: sign.toUpperCase() })
    expect(answer).toMatchObject({ ...refusal('SIGN_TAKEN'), data: { field: 'sign' } })
    expect(await selectAudit(mine.accountId)).toEqual([])
  })

  it('lets one of two through that race for it', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    const sign = aSign()
    const answers = await Promise.all([mine, other].map((who) => who.call(accountApi.editSign, { sign })))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 422])
  })

  it('changes nothing for the same suffix, and refuses sub-accounts', async () => {
    const main = await createMainAccount({ sign: aSign() })
    const { sign } = (await main.call(accountApi.info, {})).data
    expect(await main.call(accountApi.editSign, { sign })).toMatchObject({ code: 200, trips: 1 })
    const sub = await createSubAccount(main)
    expect(await sub.call(accountApi.editSign, { sign: aSign() })).toMatchObject(refusal('PERMISSION_DENIED'))
  })

  it.each(['', 'short', 'toolongforasign', 'no spaces', '中文中文中文'])('refuses %j', async (sign) => {
    const { call: ask } = await createMainAccount()
    expect(await ask(accountApi.editSign, { sign })).toMatchObject({ code: 422, data: { field: 'sign' } })
  })
})
