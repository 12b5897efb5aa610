import { expect, it } from 'vitest'
import { type OutboxContext } from '#db/hub-outbox.ts'
import type { OutgoingMail } from '#contract/kernel/outside.ts'
import { mailContactWarnings, warnOfContactExpiry } from '#jobs/contact-expiry.ts'
import { authorizeAt } from '#domain/contacts/authorization.ts'
import { NOW, createAccount, db, run } from '#tests/support/libsql.ts'

const DAY = 86_400_000
const MINUTE = 60_000

/** An account with this mail address and one contact that was verified now. */
async function createVerified(email: string | null, name = '张三') {
  const { id } = await createAccount(0)
  await run('update accounts set email = ? where id = ?', [email && `${id}-${email}`, id])
  const uuid = await insertContact(id, name)
  return { accountId: id, uuid, mailbox: `${id}-${email}` }
}

async function insertContact(accountId: number, name: string) {
  const { verifiedAt, expiresAt, warnAt } = authorizeAt(NOW)
  const uuid = `${accountId}-${name}`
  await run(
    `insert into contacts (account_id, uuid, name, email, verified_at, expires_at, warn_at, mail_state, mail_at, created_at)
     values (?, ?, ?, ?, ?, ?, ?, 'sent', 0, 0)`,
    [accountId, uuid, name, `${uuid}@b.cn`, verifiedAt, expiresAt, warnAt],
  )
  return uuid
}

const END = NOW + 180 * DAY
const runAt = async (now: number) => {
  const ctx: OutboxContext = { db, now, hubOutbox: [] }
  await warnOfContactExpiry(ctx)
  return ctx.hubOutbox
}
const titles = async (accountId: number) =>
  (await run('select title, content from messages where account_id = ? order by id', [accountId])).map(
    ({ title, content }) => `${String(title)} ${/在(\d+)天内/.exec(String(content))?.[1] ?? ''}`.trim(),
  )

/** A mail server that keeps what it takes, and refuses while it is down. */
function mailServer() {
  const sent: { to: string; text: string }[] = []
  const state = { isDown: false, sent, tries: 0 }
  const mail = {
    send: async (to: string, { text }: OutgoingMail) => {
      state.tries += 1
      if (state.isDown) throw new Error('451 down')
      sent.push({ to, text })
    },
  }
  return Object.assign(state, { at: (now: number) => mailContactWarnings({ db, mail, now, runId: 'r' }) })
}

it('account 9: warns 30, 7 and 1 day before the end, once each, however often the cron runs', async () => {
  const { accountId } = await createVerified(null)
  expect(await runAt(END - 31 * DAY)).toEqual([])
  expect(await titles(accountId)).toEqual([])
  const hubs = await runAt(END - 30 * DAY)
  expect(hubs).toHaveLength(1)
  for (const now of [END - 30 * DAY, END - 29 * DAY, END - 7 * DAY, END - 7 * DAY, END - DAY, END, END + DAY])
    await Promise.all([runAt(now), runAt(now)])
  const title = '联系人“张三”的授权即将到期'
  expect(await titles(accountId)).toEqual([`${title} 30`, `${title} 7`, `${title} 1`])
})

it('a late run sends the last of what it has missed, also behind the end', async () => {
  const [late, never] = [await createVerified(null), await createVerified(null, '李四')]
  await run('update contacts set warn_at = null where uuid = ?', [never.uuid])
  await runAt(END - 5 * DAY)
  expect(await titles(late.accountId)).toEqual(['联系人“张三”的授权即将到期 7'])
  await run('update contacts set warn_at = ? where uuid = ?', [END - 30 * DAY, never.uuid])
  await runAt(END + 40 * DAY)
  expect(await titles(late.accountId)).toEqual(['联系人“张三”的授权即将到期 7', '联系人“张三”的授权已过期'])
  expect(await titles(never.accountId)).toEqual(['联系人“李四”的授权已过期'])
})

it('a renewed authorization is warned of anew, and one that was ended is not', async () => {
  const [renewed, ended] = [await createVerified(null), await createVerified(null)]
  await runAt(END - 30 * DAY)
  const next = authorizeAt(END - 20 * DAY)
  await run('update contacts set verified_at = ?, expires_at = ?, warn_at = ? where uuid = ?', [
    next.verifiedAt,
    next.expiresAt,
    next.warnAt,
    renewed.uuid,
  ])
  await run('update contacts set verified_at = null, expires_at = null, warn_at = null where uuid = ?', [ended.uuid])
  await runAt(END - DAY)
  expect(await titles(renewed.accountId)).toHaveLength(1)
  await runAt(next.expiresAt - 30 * DAY)
  expect(await titles(renewed.accountId)).toHaveLength(2)
  expect(await titles(ended.accountId)).toHaveLength(1)
})

it('mails the account once with all of its contacts, also where two runs overlap', async () => {
  const { accountId, mailbox, uuid } = await createVerified('it@b.cn')
  const second = await insertContact(accountId, '李四')
  const server = mailServer()
  await runAt(END - 30 * DAY)
  await Promise.all([server.at(END - 30 * DAY), server.at(END - 30 * DAY)])
  await server.at(END - 29 * DAY)
  expect(server.sent).toHaveLength(1)
  expect(server.sent[0]?.to).toBe(mailbox)
  for (const contact of [uuid, second]) expect(server.sent[0]?.text).toContain(`${contact}@b.cn`)
  expect(server.sent[0]?.text).toContain('/account/contacts')
})

it('a mail server that is down for an hour loses and doubles nothing, and is asked less often each time', async () => {
  const { accountId } = await createVerified('it@b.cn')
  const server = Object.assign(mailServer(), { isDown: true })
  const start = END - 30 * DAY
  await runAt(start)
  for (let minute = 0; minute < 60; minute++) await server.at(start + minute * MINUTE)
  expect(server.tries).toBe(6) // at 0, 1, 3, 7, 15 and 31 minutes
  server.isDown = false
  for (let minute = 60; minute < 180; minute++) await server.at(start + minute * MINUTE)
  expect(server.sent).toHaveLength(1)
  expect(await titles(accountId)).toHaveLength(1)
})
