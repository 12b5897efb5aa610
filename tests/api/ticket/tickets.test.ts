import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import { ramAccounts } from '#db/schema/accounts.ts'
import { createMainAccount, createSubAccount, selectAudits } from '#tests/support/fixtures.ts'
import { call, createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'
import { FORM, setTicket, submitTicket, ticketRow, uploadImage } from '#tests/support/tickets.ts'

const DAY_MS = 86_400_000
const NUMBER = /^T20\d{6}\d{6}$/
const reply = (number: string, content = '请重启设备后再试') => call(opsApi.replyTicket, { number, content })
const setStatus = (number: string, status: 2 | 4) => call(opsApi.ticketStatus, { number, status })

describe('account 7 · ticket/create', () => {
  it('submits a ticket under a number of its day, in two round trips, with an audit row and a notice to the hub', async () => {
    const main = await createMainAccount()
    const since = hubCalls.length
    const answer = await main.call(ticketApi.create, FORM)
    expect(answer).toMatchObject({ code: 200, msg: '工单提交成功，请耐心等待回复', trips: 2 })
    const { ticket_number } = answer.data
    expect(ticket_number).toMatch(NUMBER)
    expect(await ticketRow(ticket_number)).toMatchObject({
      person: `main:${main.accountId}`,
      author: main.username,
      status: 1,
      files: '[]',
      snapshot: null,
      dueAt: null,
    })
    expect(hubCalls.slice(since)).toMatchObject([{ kind: 'account', hub: main.hub, method: 'refresh' }])
    expect(
      (await selectAudits(main.accountId)).map(({ module, action, target, message }) => [
        module,
        action,
        target,
        message,
      ]),
    ).toEqual([['ticket', 'create', ticket_number, '提交工单“无法连接”']])
  })
  it('account 5 · carries up to three images of who submits it, each once', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const [a, b] = [await uploadImage(main), await uploadImage(main)]
    const number = await submitTicket(main, { file_ids: [b, a] })
    const { data } = await main.call(ticketApi.info, { ticket_number: number })
    expect(data.images.map(({ file_id }) => file_id)).toEqual([b, a])
    expect(data.images[0]).toMatchObject({ name: '截图.png' })

    const own = await uploadImage(sub)
    for (const file_ids of [[a], [own], ['0'.repeat(32)], ['']])
      expect(await main.call(ticketApi.create, { ...FORM, file_ids })).toMatchObject({
        ...refusal('FILE_UNKNOWN'),
        data: { field: 'file_ids' },
      })
    expect(await sub.call(ticketApi.create, { ...FORM, file_ids: [own] })).toMatchObject({ code: 200 })
  })
  it('two tickets that carry the same image at once: one is submitted', async () => {
    const main = await createMainAccount()
    const file_ids = [await uploadImage(main)]
    const answers = await Promise.all([1, 2].map(() => main.call(ticketApi.create, { ...FORM, file_ids })))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 422])
    expect((await main.call(ticketApi.lists, {})).count).toBe(1)
  })
  it('of a person ten an hour; others are not concerned', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    for (let i = 0; i < TICKET.createRate.limit; i++) await submitTicket(sub)
    const refused = await sub.call(ticketApi.create, FORM)
    expect(refused).toMatchObject({ code: 429, reason: 'TOO_OFTEN' })
    expect((await main.call(ticketApi.lists, {})).count).toBe(TICKET.createRate.limit)
    expect(await main.call(ticketApi.create, FORM)).toMatchObject({ code: 200 })
  })
})

describe('account 7 · ticket/lists', () => {
  it('pages by ten, newest first, searches number and title, in one round trip', async () => {
    const main = await createMainAccount()
    const numbers: string[] = []
    for (let i = 0; i < 10; i++) numbers.push(await submitTicket(main, { title: `工单${i}` }))
    const other = await createSubAccount(main)
    numbers.push(await submitTicket(other, { title: 'Router 离线', type: 3 }))
    const first = await main.call(ticketApi.lists, {})
    expect(first).toMatchObject({ code: 200, trips: 1, count: 11 })
    expect(first.data).toHaveLength(10)
    expect(first.data[0]).toMatchObject({
      ticket_number: numbers[10],
      ticket_title: 'Router 离线',
      ticket_type: 3,
      ticket_status: 1,
      author: other.username,
    })
    const titles = async (input: object) =>
      (await main.call(ticketApi.lists, input)).data.map((row) => row.ticket_title)
    expect(await titles({ page: 2 })).toEqual(['工单0'])
    expect(await titles({ search: 'router' })).toEqual(['Router 离线'])
    expect(await titles({ search: numbers[3]!.slice(1) })).toEqual(['工单3'])
    await setStatus(numbers[4]!, 2)
    expect(await titles({ status: '2' })).toEqual(['工单4'])
  })
  it('shows everybody his own, and the main account all of them', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    const [one, two] = [await createSubAccount(main), await createSubAccount(main)]
    for (const who of [main, one, two, stranger]) await submitTicket(who)
    const authors = async ({ call: ask }: typeof main) =>
      (await ask(ticketApi.lists, {})).data.map(({ author }) => author).toSorted()
    expect(await authors(main)).toEqual([main.username, one.username, two.username].toSorted())
    expect(await authors(one)).toEqual([one.username])
    expect(await authors(stranger)).toEqual([stranger.username])
  })
  it('a sub-account that gets the id of a deleted one does not see its tickets', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const number = await submitTicket(sub)
    await db
      .update(ramAccounts)
      .set({ createdAt: Date.now() + 1 })
      .where(eq(ramAccounts.id, sub.ramId))
    expect(await sub.call(ticketApi.lists, {})).toMatchObject({ count: 0 })
    expect(await sub.call(ticketApi.info, { ticket_number: number })).toMatchObject(refusal('TICKET_NOT_FOUND'))
  })
})

describe('account 3 · ticket/info', () => {
  it('shows the conversation of both sides, oldest first, in one round trip', async () => {
    const main = await createMainAccount()
    const markup = '<img src=x onerror=alert(1)>\n第二行'
    const number = await submitTicket(main, { content: `${markup}，请看` })
    await reply(number, markup)
    const image = await uploadImage(main)
    await main.call(ticketApi.reply, { ticket_number: number, content: '仍然不行', file_ids: [image] })
    const { data, trips } = await main.call(ticketApi.info, { ticket_number: number })
    expect(trips).toBe(1)
    expect(data).toMatchObject({
      ticket_number: number,
      ticket_title: '无法连接',
      ticket_content: `${markup}，请看`,
      ticket_status: 2,
      appraise: null,
      close_time: null,
      dialogue: [
        { side: 'adviser', reply_name: '技术顾问', dialogue_content: markup, images: [] },
        { side: 'customer', reply_name: main.username, dialogue_content: '仍然不行', images: [{ file_id: image }] },
      ],
    })
  })
  it('a foreign number, a colleague’s and one that was deleted answer like an unknown one', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    const [sub, colleague] = [await createSubAccount(main), await createSubAccount(main)]
    const number = await submitTicket(sub)
    const gone = await submitTicket(main)
    await main.call(ticketApi.delete, { ticket_number: gone })
    const calls = [
      [ticketApi.info, {}],
      [ticketApi.reply, { content: '您好' }],
      [ticketApi.appraise, { grade: 5 }],
      [ticketApi.reopen, {}],
      [ticketApi.delete, {}],
    ] as const
    for (const [spec, input] of calls)
      for (const [who, ticket_number] of [
        [stranger, number],
        [colleague, number],
        [main, gone],
        [main, 'T20260101000000'],
      ] as const)
        expect(await who.call(spec as typeof ticketApi.info, { ticket_number, ...input })).toMatchObject({
          ...refusal('TICKET_NOT_FOUND'),
          data: null,
          trips: 1,
        })
    expect(await main.call(ticketApi.info, { ticket_number: number })).toMatchObject({ data: { author: sub.username } })
  })
})

describe('account 4 · ticket/reply', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
  ] as const)('in status %i leaves it at %i, in two round trips with an audit row', async (before, after) => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    await setTicket(number, { status: before, dueAt: before === 3 ? Date.now() + DAY_MS : null })
    const answer = await main.call(ticketApi.reply, { ticket_number: number, content: '仍然不行' })
    expect(answer).toMatchObject({ code: 200, msg: '提交成功', trips: 2 })
    expect(await ticketRow(number)).toMatchObject({ status: after, dueAt: null, warnedAt: null })
    expect((await selectAudits(main.accountId)).map(({ action }) => action)).toEqual(['create', 'reply'])
  })
  it('is refused on a closed one, and writes nothing', async () => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    await setStatus(number, 4)
    expect(await main.call(ticketApi.reply, { ticket_number: number, content: '您好' })).toMatchObject({
      ...refusal('TICKET_CLOSED'),
      trips: 1,
    })
    expect((await main.call(ticketApi.info, { ticket_number: number })).data.dialogue).toEqual([])
  })
  it('and an operator’s reply at the same time: both stand, one behind the other', async () => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    const worker = createTestWorker({ afterFirstTrip: () => reply(number) })
    const answer = await worker.call(ticketApi.reply, { ticket_number: number, content: '仍然不行' }, main.token)
    expect(answer).toMatchObject({ code: 200, trips: 4 })
    const { data } = await main.call(ticketApi.info, { ticket_number: number })
    expect(data).toMatchObject({ ticket_status: 2, dialogue: [{ side: 'adviser' }, { side: 'customer' }] })
  })
  it('the main account may reply to its sub-account’s ticket, under its own name', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const number = await submitTicket(sub)
    await main.call(ticketApi.reply, { ticket_number: number, content: '补充一点' })
    const { data } = await sub.call(ticketApi.info, { ticket_number: number })
    expect(data.dialogue).toMatchObject([{ reply_name: main.username }])
  })
})

describe('account 4 · ticket/appraise', () => {
  it.each([1, 2, 3, 4] as const)('closes a ticket of status %i, once', async (status) => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    const closedAt = status === 4 ? Date.now() - DAY_MS : null
    await setTicket(number, { status, closedAt, dueAt: status === 3 ? 1 : null })
    const appraisal = { ticket_number: number, grade: 4, content: '回复很快' }
    expect(await main.call(ticketApi.appraise, appraisal)).toMatchObject({ code: 200, msg: '关闭成功', trips: 2 })
    expect(await ticketRow(number)).toMatchObject({ status: 4, grade: 4, appraisal: '回复很快', dueAt: null })
    expect((await ticketRow(number)).closedAt).toBe(closedAt ?? (await ticketRow(number)).updatedAt)
    expect(await main.call(ticketApi.appraise, appraisal)).toMatchObject(refusal('TICKET_APPRAISED'))
    const { data } = await main.call(ticketApi.info, { ticket_number: number })
    expect(data.appraise).toEqual({ grade: 4, content: '回复很快' })
    expect(await reply(number)).toMatchObject(refusal('TICKET_CLOSED'))
  })
  it('two appraisals at once: one stands', async () => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    const answers = await Promise.all(
      [1, 5].map((grade) => main.call(ticketApi.appraise, { ticket_number: number, grade })),
    )
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 422])
  })
})

describe('design 12 · ticket/reopen', () => {
  it('opens a closed one within seven days, in two round trips', async () => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    expect(await main.call(ticketApi.reopen, { ticket_number: number })).toMatchObject(refusal('TICKET_NOT_CLOSED'))
    await setStatus(number, 4)
    expect(await main.call(ticketApi.reopen, { ticket_number: number })).toMatchObject({ code: 200, trips: 2 })
    expect(await ticketRow(number)).toMatchObject({ status: 2, closedAt: null })
    await setTicket(number, { status: 4, closedAt: Date.now() - 8 * DAY_MS })
    expect(await main.call(ticketApi.reopen, { ticket_number: number })).toMatchObject(
      refusal('TICKET_REOPEN_LATE', { days: 7 }),
    )
  })
})

describe('account 2 · ticket/delete', () => {
  it.each([
    [2, '处理中'],
    [3, '已回复'],
  ] as const)('is refused in status %i', async (status, word) => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    await setTicket(number, { status })
    const answer = await main.call(ticketApi.delete, { ticket_number: number })
    expect(answer).toMatchObject(refusal('TICKET_NOT_DELETABLE', { status: word }))
  })
  it.each([1, 4] as const)('hides one of status %i, and keeps it for 180 days', async (status) => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    await setTicket(number, { status })
    const answer = await main.call(ticketApi.delete, { ticket_number: number })
    expect(answer).toMatchObject({ code: 200, msg: '删除成功', trips: 2 })
    const row = await ticketRow(number)
    expect(row.dueAt).toBe(row.deletedAt! + 180 * DAY_MS)
    expect((await main.call(ticketApi.lists, {})).count).toBe(0)
    expect(await call(opsApi.showTicket, { number })).toMatchObject(refusal('TICKET_NOT_FOUND'))
    expect((await selectAudits(main.accountId)).map(({ action }) => action)).toEqual(['create', 'delete'])
  })
})
