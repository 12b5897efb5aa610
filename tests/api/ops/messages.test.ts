import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { messageApi } from '#contract/message/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { messages } from '#db/schema/notices.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { call, db, hubCalls } from '#tests/support/test-worker.ts'

describe('design 1 · ops · messages', () => {
  it('go to one account, and its account hub is notified', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    const input = { account: mine.username, title: '设备发货通知', content: '已发货' }
    const { data } = await call(opsApi.sendMessage, input)
    const [row] = await db
      .select()
      .from(messages)
      .where(eq(messages.id, data.message_id ?? 0))
    expect(row).toMatchObject({ accountId: mine.accountId, title: input.title, type: '系统' })
    expect((await mine.call(accountApi.info, {})).data.message_count).toBe(1)
    expect((await other.call(accountApi.info, {})).data.message_count).toBe(0)
    expect(hubCalls.filter(({ hub, method }) => hub === mine.hub && method === 'refresh')).toHaveLength(1)
  })

  it('may concern a network, whose limited roles see them', async () => {
    const main = await createMainAccount()
    const network = await insertNetwork({ accountId: main.accountId })
    const limited = await createSubAccount(main, { networks: [network.number] })
    const input = { account: main.username, title: '割接', content: '今晚', type: '告警' as const }
    await call(opsApi.sendMessage, { ...input, network_number: network.number })
    await call(opsApi.sendMessage, input)
    expect(await limited.call(messageApi.lists, {})).toMatchObject({ count: 1, data: [{ type: '告警' }] })
  })

  it('go to every enabled account, once each', async () => {
    const title = unique('全部')
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    const disabled = await createMainAccount()
    await call(opsApi.setAccountStatus, { account: disabled.username, status: 0 })
    const { data, msg } = await call(opsApi.sendMessage, { all: 1, title, content: '公告' })
    const rows = await db.select({ accountId: messages.accountId }).from(messages).where(eq(messages.title, title))
    const ids = rows.map(({ accountId }) => accountId)
    expect([data, msg]).toEqual([{ count: rows.length, message_id: null }, '发送成功'])
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining([mine.accountId, other.accountId]))
    expect(ids).not.toContain(disabled.accountId)
    expect((await selectAudit(0))[0]).toMatchObject({ action: 'message/send', target: title })
  })

  it.each([
    [{}, 'account'],
    [{ account: 'company01', all: 1 as const }, 'account'],
    [{ all: 1 as const, network_number: 'N1' }, 'all'],
    [{ account: 'company01', type: '组网' as never }, 'type'],
  ])('%j is refused', async (to, field) => {
    const answer = await call(opsApi.sendMessage, { title: 't', content: 'c', ...to })
    expect(answer).toMatchObject({ code: 422, data: { field } })
  })
})

describe('design 5 · ops · every call that writes leaves an audit row', () => {
  it('of the account that it concerns, or of the service', async () => {
    const main = await createMainAccount()
    const account = main.username
    await call(opsApi.publishAnnouncement, { title: unique('公告'), content: 'x' })
    await call(opsApi.tokenLink, { account })
    await call(opsApi.sendMessage, { account, title: 't', content: 'c' })
    const { data } = await call(opsApi.provisionDevice, { model: 'NL-R220' })
    await call(opsApi.resetDevice, { serial: data.serial })
    const own = (await selectAudit(main.accountId)).map(({ action }) => action)
    expect(own).toEqual(['message/send', 'login/token_link'])
    const serviceActions = (await selectAudit(0)).map(({ action }) => action)
    expect(serviceActions).toContain('announcement/publish')
    expect(serviceActions).toContain('device/reset')
  })
})
