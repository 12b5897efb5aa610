import { expect, it } from 'vitest'
import type { OutgoingMail } from '#contract/kernel/outside.ts'
import { mailTicketReplies } from '#jobs/tickets.ts'
import { NOW, createAccount, db, run } from '#tests/support/libsql.ts'
import { createReply } from './ticket-scenario.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A mail server that keeps what it takes for this account, and refuses while it is down. */
async function createWaiting(over: { readonly deletedAt?: number } = {}) {
  const { id } = await createAccount(0)
  const to = `mail${id}@b.cn`
  await run('update accounts set email = ? where id = ?', [to, id])
  await createReply(id, { dueAt: NOW, ...over })
  const sent: OutgoingMail[] = []
  const server = { isDown: false, sent, tries: 0 }
  const mail = {
    send: async (recipient: string, content: OutgoingMail) => {
      if (recipient !== to) return
      server.tries += 1
      if (server.isDown) throw new Error('451 down')
      sent.push(content)
    },
  }
  const due = async () => (await run('select mail_due_at from ticket_replies where account_id = ?', [id]))[0]
  return Object.assign(server, { due, at: (now: number) => mailTicketReplies({ db, mail, now, runId: 'r' }) })
}

it('a mail server that is down for an hour loses and doubles nothing, and is asked less often each time', async () => {
  const server = await createWaiting()
  server.isDown = true
  for (let minute = 0; minute < 60; minute++) await server.at(NOW + minute * MINUTE)
  expect(server.tries).toBe(5) // at 0, 2, 6, 14 and 30 minutes: the answer itself was the first try
  server.isDown = false
  for (let minute = 60; minute < 120; minute++) await server.at(NOW + minute * MINUTE)
  expect(server.sent.map(({ eventId, subject }) => [eventId?.slice(0, 13), subject])).toEqual([
    ['ticket-reply-', expect.stringContaining('工单“断线”有新的回复')],
  ])
  expect(server.sent[0]?.text).toContain('回复附有 1 张图片')
  expect(await server.due()).toMatchObject({ mail_due_at: null })
})

it('two runs at once send it once', async () => {
  const server = await createWaiting()
  await Promise.all([server.at(NOW), server.at(NOW)])
  expect(server.sent).toHaveLength(1)
})

it('is given up after three days', async () => {
  const server = await createWaiting()
  server.isDown = true
  for (let hour = 0; hour < 200; hour++) await server.at(NOW + hour * HOUR)
  const tries = server.tries
  expect(await server.due()).toMatchObject({ mail_due_at: null })
  await server.at(NOW + 300 * HOUR)
  expect([server.tries, tries < 25]).toEqual([tries, true])
})

it('is not sent of a ticket that was deleted', async () => {
  const server = await createWaiting({ deletedAt: NOW })
  await server.at(NOW)
  expect(server.tries).toBe(0)
})
