import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { outbox } from '#db/schema/accounts.ts'
import { messages } from '#db/schema/notices.ts'
import { files } from '#db/schema/files.ts'
import { ticketReplies } from '#db/schema/tickets.ts'
import { createOutside } from '#outside/adapters.ts'
import { objectName } from '#domain/file/upload.ts'
import { mailTicketReplies } from '#jobs/tickets.ts'
import { createMainAccount, createSubAccount, selectAudits, unique } from '#tests/support/fixtures.ts'
import { call, createTestWorker, db, hubCalls, refusal, request } from '#tests/support/test-worker.ts'
import { mailThat } from '#tests/support/failing-mail.ts'
import { imageFile, setTicket, submitTicket, ticketRow } from '#tests/support/tickets.ts'

const DAY_MS = 86_400_000
const messagesOf = (accountId: number) =>
  db.select().from(messages).where(eq(messages.accountId, accountId)).orderBy(messages.id)
const mailsTo = (recipient: string) => db.select().from(outbox).where(eq(outbox.recipient, recipient))

describe('design 1 · ticket list and show of the operator', () => {
  it('lists what waits for an adviser, longest first, and others by status and account', async () => {
    const main = await createMainAccount()
    const account = main.username
    const [first, second] = [await submitTicket(main), await submitTicket(main, { title: '第二个' })]
    const done = await submitTicket(main)
    await call(opsApi.replyTicket, { number: done, content: '已处理' })
    await setTicket(second, { updatedAt: 1 })
    const numbers = async (input: object) => (await call(opsApi.listTickets, input)).data.map(({ number }) => number)
    expect(await numbers({ account })).toEqual([second, first])
    expect(await numbers({ account, status: 3 })).toEqual([done])
    expect((await call(opsApi.listTickets, { account })).data[0]).toMatchObject({
      account,
      author: account,
      type: '智能组网',
      title: '第二个',
      status: '待受理',
    })
  })
  it('shows the conversation, images with an address that opens', async () => {
    const main = await createMainAccount()
    const { data: uploaded } = await main.call(ticketApi.uploadFile, { file: imageFile() })
    const number = await submitTicket(main, { file_ids: [uploaded.file_id] })
    const { data } = await call(opsApi.showTicket, { number })
    expect(data).toMatchObject({ account: main.username, ticket_number: number, images: [{ name: '截图.png' }] })
    const { origin, pathname, search } = new URL(data.images[0]!.src)
    expect(origin).toMatch(/^https?:/)
    expect((await request(`${pathname}${search}`)).headers.get('content-type')).toBe('image/png')
    expect(await call(opsApi.showTicket, { number: 'T20260101000000' })).toMatchObject(refusal('TICKET_NOT_FOUND'))
  })
})

describe('design 1 · ticket reply of the operator', () => {
  it('answers with images: a site message to who asked, a mail of the account’s brand, a notice to its hub', async () => {
    const email = `${unique()}@b.cn`
    const main = await createMainAccount({ email, host: 'xingqiao.netloom.cn' })
    const sub = await createSubAccount(main)
    const number = await submitTicket(sub, { title: '<b>无法连接</b>' })
    const since = hubCalls.length
    const content = '请重启设备\n<script>alert(1)</script>'
    const sent = { number, content, name: '王工', files: [imageFile('a.png'), imageFile('b.png')] }
    expect(await call(opsApi.replyTicket, sent)).toMatchObject({ code: 200, msg: '发送成功' })
    expect(hubCalls.slice(since)).toMatchObject([{ kind: 'account', hub: main.hub, method: 'refresh' }])

    const row = await ticketRow(number)
    expect(row).toMatchObject({ status: 3, warnedAt: null, dueAt: row.answeredAt! + 6 * DAY_MS })
    const { data } = await sub.call(ticketApi.info, { ticket_number: number })
    expect(data.dialogue).toMatchObject([
      {
        side: 'adviser',
        reply_name: '王工',
        dialogue_content: content,
        images: [{ name: 'a.png' }, { name: 'b.png' }],
      },
    ])
    expect((await request(data.dialogue[0]!.images[0]!.src)).status).toBe(200)

    expect(await messagesOf(main.accountId)).toMatchObject([
      {
        type: '工单',
        title: '工单“<b>无法连接</b>”有新的回复',
        person: `ram:${sub.ramId}`,
        ticketNumber: number,
      },
    ])
    const [mail] = await mailsTo(email)
    expect(mail?.subject).toBe('【星桥云专线控制台】工单“<b>无法连接</b>”有新的回复')
    expect(mail?.body).toContain('https://xingqiao.netloom.cn/ticket/detail')
    expect(mail?.body).not.toContain('织联')
    expect(mail?.body).toContain('<script>alert(1)</script>') // plain text; HTML is escaped (tests/unit/mail)
    expect(mail?.body).toContain(`/ticket/detail?ticket_number=${number}`)
    expect(mail?.body).toContain('回复附有 2 张图片')
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      actorKind: 'operator',
      module: 'ops',
      action: 'ticket/reply',
      target: number,
    })
  })
  it('a file that is refused leaves nothing', async () => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    const svg = new File(['<svg onload="alert(1)"/>'], 'a.png')
    const sent = { number, content: '见图', files: [imageFile(), svg] }
    expect(await call(opsApi.replyTicket, sent)).toMatchObject(refusal('FILE_TYPE', { noun: '图片' }))
    expect(await ticketRow(number)).toMatchObject({ status: 1 })
    expect(await db.select().from(files).where(eq(files.accountId, main.accountId))).toEqual([])
    expect(await messagesOf(main.accountId)).toEqual([])
  })
  it('the reply stands where the mail is refused, which is sent by the cron then', async () => {
    const email = `${unique()}@b.cn`
    const main = await createMainAccount({ email })
    const number = await submitTicket(main)
    const worker = createTestWorker({ outside: mailThat(() => true) })
    expect(await worker.call(opsApi.replyTicket, { number, content: '已处理' })).toMatchObject({ code: 200 })
    expect(await messagesOf(main.accountId)).toHaveLength(1)
    const { mail } = createOutside(env)
    const runAt = (now: number) => mailTicketReplies({ db, mail, now, runId: 'r' })
    await runAt(Date.now()) // not at once
    expect(await mailsTo(email)).toEqual([])
    await runAt(Date.now() + 2 * 60_000)
    await runAt(Date.now() + DAY_MS)
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([expect.stringContaining('有新的回复')])
  })
  it('one mail for a reply whose mail server works, and none where the account has no mailbox', async () => {
    const email = `${unique()}@b.cn`
    for (const main of [await createMainAccount({ email }), await createMainAccount({ email: null })]) {
      const number = await submitTicket(main)
      expect(await call(opsApi.replyTicket, { number, content: '已处理' })).toMatchObject({ code: 200 })
      const replies = await db.select().from(ticketReplies).where(eq(ticketReplies.accountId, main.accountId))
      expect(replies.map(({ mailDueAt }) => mailDueAt)).toEqual([null])
    }
    expect(await mailsTo(email)).toHaveLength(1)
  })
  it('is refused on a closed one', async () => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    await call(opsApi.ticketStatus, { number, status: 4 })
    const before = (await env.FILES.list()).objects.length
    const sent = { number, content: '已处理', files: [imageFile()] }
    expect(await call(opsApi.replyTicket, sent)).toMatchObject(refusal('TICKET_CLOSED'))
    expect((await env.FILES.list()).objects.length).toBe(before)
  })
})

describe('design 12 · ticket status of the operator', () => {
  it('begins, closes and opens again, each with a site message', async () => {
    const main = await createMainAccount()
    const number = await submitTicket(main)
    for (const status of [2, 4, 2] as const)
      expect(await call(opsApi.ticketStatus, { number, status })).toMatchObject({ code: 200 })
    expect((await messagesOf(main.accountId)).map(({ title }) => title)).toEqual([
      '工单“无法连接”处理中',
      '工单“无法连接”已关闭',
      '工单“无法连接”处理中',
    ])
    expect(await call(opsApi.ticketStatus, { number, status: 3 })).toMatchObject(
      refusal('TICKET_STEP', { status: '处理中', next: '已回复' }),
    )
  })
})

it('objects of a reply are those of the account', async () => {
  const main = await createMainAccount()
  const number = await submitTicket(main)
  await call(opsApi.replyTicket, { number, content: '见图', files: [imageFile()] })
  const [file] = await db.select().from(files).where(eq(files.accountId, main.accountId))
  expect(file).toMatchObject({ attachedTo: `ticket:${number}`, purpose: 'ticket_image' })
  expect(await env.FILES.head(objectName(file!.key))).not.toBeNull()
})
