import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { BATCH_MAX } from '#contract/kernel/limits.ts'
import { messageApi } from '#contract/message/index.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { tickets } from '#db/schema/tickets.ts'
import { type Caller, createMainAccount, createRouter, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { submitTicket } from '#tests/support/tickets.ts'
import { insertMember, insertMessage, insertNetwork } from '#tests/support/rows.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const readCount = async ({ call: ask }: Caller) => (await ask(accountApi.info, {})).data.message_count
const titlesOf = async ({ call: ask }: Caller, input = {}) =>
  (await ask(messageApi.lists, input)).data.map(({ title }) => title)
const insertMany = async (accountId: number, titles: readonly string[], over: object = {}) => {
  const ids: number[] = []
  for (const title of titles) ids.push(await insertMessage({ accountId, title, ...over }))
  return ids
}
const refreshes = ({ hub }: Caller, since: number) =>
  hubCalls.slice(since).filter((one) => one.hub === hub && one.method === 'refresh').length

describe('account 7 · message/lists', () => {
  it('pages by ten, newest first, with the numbers of all types, in one round trip', async () => {
    const main = await createMainAccount()
    const titles = Array.from({ length: 12 }, (_, i) => `消息${i}`)
    const ids = await insertMany(main.accountId, titles)
    await insertMessage({ accountId: main.accountId, type: '告警', title: '离线', readBy: [`main:${main.accountId}`] })
    const first = await main.call(messageApi.lists, {})
    expect(first).toMatchObject({ code: 200, trips: 1, count: 13, total: 13, unread: 12 })
    expect(first.data).toHaveLength(10)
    expect(first.data[0]).toMatchObject({ title: '离线', type: '告警', status: 1 })
    expect(first.data[1]).toMatchObject({
      title: '消息11',
      type: '系统',
      status: 0,
      network_number: '',
      router_name: '',
    })
    expect(first.data[0]).not.toHaveProperty('content')
    expect(first.newest).toBe(ids.at(-1)! + 1)
    expect(await titlesOf(main, { page: 2 })).toEqual(['消息2', '消息1', '消息0'])
  })

  it('filters by type and by unread; the numbers stay those of all', async () => {
    const main = await createMainAccount()
    const { accountId } = main
    await insertMessage({ accountId, type: '告警', title: 'a' })
    await insertMessage({ accountId, type: '告警', title: 'b', readBy: [`main:${accountId}`] })
    await insertMessage({ accountId, type: '安全', title: 'c' })
    expect(await main.call(messageApi.lists, { type: '告警' })).toMatchObject({ count: 2, total: 3, unread: 2 })
    expect(await titlesOf(main, { type: '告警', unread: 1 })).toEqual(['a'])
    expect(await titlesOf(main, { unread: '1' })).toEqual(['c', 'a'])
    expect((await main.call(messageApi.lists, { type: '其他' as never })).code).toBe(422)
  })

  it('names network and router that a message is about while they exist', async () => {
    const main = await createMainAccount()
    const { accountId } = main
    const network = await insertNetwork({ accountId, name: '总部互联' })
    const router = await createRouter(accountId, { note: '上海' })
    await insertMessage({ accountId, networkNumber: network.number, routerName: router.name })
    await insertMessage({ accountId, networkNumber: 'gone', routerName: 'gone' })
    const { data } = await main.call(messageApi.lists, {})
    const nothing = { network_number: '', network_name: '', router_name: '', router_note: '' }
    expect(data[0]).toMatchObject(nothing)
    const named = { network_number: network.number, network_name: '总部互联', router_name: router.name }
    expect(data[1]).toMatchObject({ ...named, router_note: '上海' })
  })

  it('names the ticket that a message is about, as far as the reader sees it', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const [asking, colleague] = [await createSubAccount(main), await createSubAccount(main)]
    const [own, gone] = [await submitTicket(asking), await submitTicket(asking)]
    await db.update(tickets).set({ deletedAt: 1 }).where(eq(tickets.number, gone))
    for (const { accountId } of [main, other])
      for (const ticketNumber of ['', gone, own]) await insertMessage({ accountId, type: '工单', ticketNumber })
    const numbersOf = async ({ call: ask }: Caller) => {
      const { trips, data } = await ask(messageApi.lists, {})
      return [trips, ...data.map(({ ticket_number }) => ticket_number)]
    }
    expect(await numbersOf(asking)).toEqual([1, own, '', ''])
    expect(await numbersOf(main)).toEqual([1, own, '', ''])
    expect(await numbersOf(colleague)).toEqual([1, '', '', ''])
    expect(await numbersOf(other)).toEqual([1, '', '', ''])
  })

  it('stops to count behind 10,000, and pages on', async () => {
    const main = await createMainAccount()
    await db.run(sql`insert into messages (account_id, event_id, type, title, content, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 10050)
      select ${main.accountId}, 'many:' || ${main.accountId} || ':' || i, '系统', '消息' || i, '', 1 from n`)
    const first = await main.call(messageApi.lists, { type: '系统' })
    expect(first).toMatchObject({ code: 200, trips: 1, count: 10_000, capped: 1, total: 10_001 })
    expect(first.data[0]).toMatchObject({ title: '消息10050', message_id: first.newest })
    expect(await titlesOf(main, { page: 1005, limit: 10 })).toHaveLength(10)
  })

  it('lists no messages of other accounts', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    await insertMany(other.accountId, ['x'])
    expect(await mine.call(messageApi.lists, {})).toMatchObject({ data: [], count: 0, total: 0, unread: 0, newest: 0 })
  })
})

describe('account 7 · message/info', () => {
  it('opens a message: it is read by who opened it, in one round trip, and its consoles are notified once', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const [id] = await insertMany(main.accountId, ['标题'], { content: '正文' })
    const since = hubCalls.length
    const opened = await main.call(messageApi.info, { message_id: id! })
    expect(opened).toMatchObject({ code: 200, trips: 1, data: { title: '标题', content: '正文', status: 1 } })
    await main.call(messageApi.info, { message_id: id! })
    expect(refreshes(main, since)).toBe(1)
    expect([await readCount(main), await readCount(sub)]).toEqual([0, 1])
  })

  it('answers other accounts’ messages, deleted and unknown ones alike, and marks nothing', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    const [foreign] = await insertMany(other.accountId, ['x'])
    const [deleted] = await insertMany(mine.accountId, ['y'])
    await mine.call(messageApi.deleteMessage, { message_id: [deleted!] })
    for (const message_id of [foreign!, deleted!, 999_999_999])
      expect(await mine.call(messageApi.info, { message_id })).toMatchObject(refusal('MESSAGE_NOT_FOUND'))
    expect(await readCount(other)).toBe(1)
  })
})

describe('account 5 · bulk actions on messages', () => {
  const { updateMessage, deleteMessage } = messageApi
  it.each([updateMessage, deleteMessage])('need a selection: $path', async (spec) => {
    const main = await createMainAccount()
    for (const input of [{}, { message_id: [] }])
      expect(await main.call(spec, input)).toMatchObject({
        code: 422,
        msg: '请选择消息标题',
        data: { field: 'message_id' },
      })
    const many = Array.from({ length: BATCH_MAX + 1 }, (_, i) => i + 1)
    expect((await main.call(spec, { message_id: many })).code).toBe(422)
  })

  it.each([
    [updateMessage, '成功标记2个消息，失败2个', 'update_message', '标记2条消息为已读'],
    [deleteMessage, '成功删除2个消息，失败2个', 'delete_message', '删除2条消息'],
  ] as const)('$path acts on what the caller sees, with one audit row', async (spec, msg, action, message) => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const [a, b, c] = await insertMany(main.accountId, ['a', 'b', 'c'])
    const [foreign] = await insertMany(other.accountId, ['x'])
    const since = hubCalls.length
    const sent = { message_id: [a!, a!, b!, foreign!, 999_999_999] }
    expect(await main.call(spec, sent)).toMatchObject({ code: 200, msg, trips: 2 })
    expect(refreshes(main, since)).toBe(1)
    expect([await readCount(main), await readCount(other)]).toEqual([1, 1])
    expect((await main.call(messageApi.lists, { unread: 1 })).data.map((row) => row.message_id)).toEqual([c])
    const audit = await db
      .select({ message: auditLogs.message })
      .from(auditLogs)
      .where(and(eq(auditLogs.accountId, main.accountId), eq(auditLogs.action, action)))
    expect(audit).toEqual([{ message }])
  })

  it.each([updateMessage, deleteMessage])('of others and of unknown ids answers alike: $path', async (spec) => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const [foreign] = await insertMany(other.accountId, ['x'])
    const unknown = await main.call(spec, { message_id: [999_999_999] })
    expect(unknown).toMatchObject({ ...refusal('MESSAGE_NOT_FOUND'), trips: 1 })
    const answer = await main.call(spec, { message_id: [foreign!] })
    expect({ code: answer.code, msg: answer.msg }).toEqual({ code: unknown.code, msg: unknown.msg })
    expect(await readCount(other)).toBe(1)
  })

  it.each([
    [updateMessage, '设置成功', '没有可标记的消息'],
    [deleteMessage, '删除成功', '没有可删除的消息'],
  ] as const)('$path says what it did: all, or nothing', async (spec, whole, none) => {
    const main = await createMainAccount()
    const ids = await insertMany(main.accountId, ['a', 'b'])
    expect(await main.call(spec, { message_id: ids })).toMatchObject({ msg: whole, data: { done: 2, left: 0 } })
    expect(await main.call(spec, { type: 'all' })).toMatchObject({ msg: none, data: { done: 0, left: 0 } })
  })

  it('a deletion that is repeated answers like one of an unknown message; reading twice changes nothing', async () => {
    const main = await createMainAccount()
    const [a, b] = await insertMany(main.accountId, ['a', 'b'])
    await main.call(deleteMessage, { message_id: [a!] })
    expect(await main.call(deleteMessage, { message_id: [a!] })).toMatchObject(refusal('MESSAGE_NOT_FOUND'))
    await main.call(updateMessage, { message_id: [b!] })
    expect(await main.call(updateMessage, { message_id: [b!] })).toMatchObject({ code: 200, trips: 1 })
  })

  it('all takes what existed when the button was pressed', async () => {
    const main = await createMainAccount()
    await insertMany(main.accountId, ['a', 'b'])
    const { newest } = await main.call(messageApi.lists, {})
    await insertMany(main.accountId, ['later'])
    expect(await main.call(updateMessage, { type: 'all', newest })).toMatchObject({ code: 200, trips: 2 })
    expect(await titlesOf(main, { unread: 1 })).toEqual(['later'])
    await main.call(deleteMessage, { type: 'all', newest })
    expect(await titlesOf(main)).toEqual(['later'])
    expect(await readCount(main)).toBe(1)
    await main.call(deleteMessage, { type: 'all' })
    expect(await titlesOf(main)).toEqual([])
    expect(await main.call(deleteMessage, { type: 'all' })).toMatchObject({ code: 200, trips: 1 })
  })

  it('needs a session', async () => {
    expect(await call(deleteMessage, { type: 'all' })).toMatchObject(refusal('TOKEN_BAD'))
  })
})

describe('account 4 · messages are read and deleted by person', () => {
  it('one person’s 全部已读 and 删除全部 change nothing for another', async () => {
    const main = await createMainAccount()
    const [first, second] = [await createSubAccount(main), await createSubAccount(main)]
    await insertMany(main.accountId, ['a', 'b'])
    await first.call(messageApi.updateMessage, { type: 'all' })
    await main.call(messageApi.deleteMessage, { type: 'all' })
    expect([await readCount(main), await readCount(first), await readCount(second)]).toEqual([0, 0, 2])
    expect(await titlesOf(main)).toEqual([])
    expect(await titlesOf(first)).toEqual(['b', 'a'])
    expect((await second.call(messageApi.lists, {})).data.map(({ status }) => status)).toEqual([0, 0])
  })

  it('a message for one person is that person’s alone', async () => {
    const main = await createMainAccount()
    const [sub, other] = [await createSubAccount(main), await createSubAccount(main)]
    await insertMessage({ accountId: main.accountId, title: 'own', person: `ram:${sub.ramId}` })
    const mains = await insertMessage({ accountId: main.accountId, title: 'main', person: `main:${main.accountId}` })
    expect([await titlesOf(main), await titlesOf(sub), await titlesOf(other)]).toEqual([['main'], ['own'], []])
    expect([await readCount(main), await readCount(sub), await readCount(other)]).toEqual([1, 1, 0])
    expect(await sub.call(messageApi.info, { message_id: mains })).toMatchObject(refusal('MESSAGE_NOT_FOUND'))
  })
})

describe('account 6 · a role limited to networks', () => {
  it('sees, counts and opens messages of its networks, their routers, and its own', async () => {
    const main = await createMainAccount()
    const { accountId } = main
    const [inside, outside] = [await insertNetwork({ accountId }), await insertNetwork({ accountId })]
    const [member, stranger] = [await createRouter(accountId), await createRouter(accountId)]
    const memberType = 'point'
    await insertMember({ accountId, networkId: inside.id, routerId: member.id, memberType })
    await insertMember({ accountId, networkId: outside.id, routerId: stranger.id, memberType })
    const limited = await createSubAccount(main, { networks: [inside.number] })
    const none = await createSubAccount(main, { networks: [] })

    const add = (title: string, over: object) => insertMessage({ accountId, title, ...over })
    await add('account', {})
    const hidden = await add('outside', { networkNumber: outside.number })
    await add('stranger', { routerName: stranger.name })
    await add('inside', { networkNumber: inside.number })
    await add('member', { routerName: member.name })
    await add('own', { person: `ram:${limited.ramId}`, networkNumber: outside.number })

    expect(await titlesOf(limited)).toEqual(['own', 'member', 'inside'])
    expect(await limited.call(messageApi.lists, {})).toMatchObject({ count: 3, total: 3, unread: 3 })
    expect(await readCount(limited)).toBe(3)
    expect([await titlesOf(none), await readCount(none)]).toEqual([[], 0])
    expect(await titlesOf(main)).toEqual(['member', 'inside', 'stranger', 'outside', 'account'])

    expect(await limited.call(messageApi.info, { message_id: hidden })).toMatchObject(refusal('MESSAGE_NOT_FOUND'))
    await limited.call(messageApi.deleteMessage, { type: 'all' })
    expect(await titlesOf(limited)).toEqual([])
    expect(await readCount(main)).toBe(5)
    // its list names no other network
    const rows = (await limited.call(messageApi.lists, {})).data
    expect(JSON.stringify(rows)).not.toContain(outside.number)
  })

  it('gets no link to a network that it does not cover', async () => {
    const main = await createMainAccount()
    const outside = await insertNetwork({ accountId: main.accountId, name: unique('机密') })
    const limited = await createSubAccount(main, { networks: ['other'] })
    await insertMessage({
      accountId: main.accountId,
      person: `ram:${limited.ramId}`,
      networkNumber: outside.number,
    })
    expect((await limited.call(messageApi.lists, {})).data[0]).toMatchObject({ network_number: '', network_name: '' })
  })
})
