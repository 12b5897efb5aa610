import { expect, it } from 'vitest'
import { openDb } from '#db/client.ts'
import { moveDueTickets } from '#jobs/tickets.ts'
import { NOW, createAccount, db, driver, run } from '#tests/support/libsql.ts'

const DAY_MS = 86_400_000
const work = (at: number, on = db) => moveDueTickets({ db: on, now: at, runId: 'run-1', hubOutbox: [] })

interface Row {
  readonly status?: number
  readonly answeredAt?: number | null
  readonly deletedAt?: number | null
  readonly dueAt: number
}

let last = 0
async function createTicket({ status = 3, answeredAt = NOW, deletedAt = null, dueAt }: Row) {
  const { id: accountId } = await createAccount(0)
  const number = `T2026112200${String(last++).padStart(4, '0')}`
  await run(
    `insert into tickets (account_id, number, person, author, type, title, content, status, created_at, updated_at, answered_at, deleted_at, due_at)
     values (?, ?, 'ram:7', 'a', 1, '断线', '', ?, 0, 0, ?, ?, ?)`,
    [accountId, number, status, answeredAt, deletedAt, dueAt],
  )
  const one = async (sql: string) => (await run(sql, [accountId]))[0] ?? null
  return {
    accountId,
    number,
    row: () => one('select status, revision, warned_at, closed_at, due_at from tickets where account_id = ?'),
    messages: () =>
      run('select title, person, ticket_number from messages where account_id = ? order by id', [accountId]),
    audits: () => run('select actor_kind, action, target from audit_logs where account_id = ?', [accountId]),
  }
}

it('已回复 is warned of a day before the seventh, and closed on it; every run is done once', async () => {
  const ticket = await createTicket({ dueAt: NOW + 6 * DAY_MS })
  await work(NOW + 6 * DAY_MS - 1)
  expect(await ticket.messages()).toEqual([])
  await work(NOW + 6 * DAY_MS)
  await work(NOW + 6 * DAY_MS)
  expect(await ticket.messages()).toEqual([
    { title: '工单“断线”即将自动关闭', person: 'ram:7', ticket_number: ticket.number },
  ])
  expect(await ticket.row()).toMatchObject({ status: 3, warned_at: NOW + 6 * DAY_MS, due_at: NOW + 7 * DAY_MS })
  await work(NOW + 7 * DAY_MS)
  await work(NOW + 8 * DAY_MS)
  expect((await ticket.messages()).map(({ title }) => title)).toEqual([
    '工单“断线”即将自动关闭',
    '工单“断线”已自动关闭',
  ])
  expect(await ticket.row()).toMatchObject({ status: 4, revision: 3, closed_at: NOW + 7 * DAY_MS, due_at: null })
  expect(await ticket.audits()).toEqual([{ actor_kind: 'system', action: 'close', target: ticket.number }])
})

it('a reply that comes between read and write keeps the ticket open', async () => {
  const ticket = await createTicket({ dueAt: NOW })
  let isFirst = true
  const racing = openDb(async (statements) => {
    const rows = await driver(statements)
    if (isFirst) await run(`update tickets set status = 2, due_at = null where number = ?`, [ticket.number])
    isFirst = false
    return rows
  })
  await work(NOW + 30 * DAY_MS, racing)
  expect(await ticket.row()).toMatchObject({ status: 2, closed_at: null, due_at: null })
  expect(await ticket.messages()).toEqual([])
})

it('a ticket that the cron missed for a month is warned of first, and closed a day later', async () => {
  const ticket = await createTicket({ dueAt: NOW + 6 * DAY_MS })
  await work(NOW + 40 * DAY_MS)
  expect(await ticket.row()).toMatchObject({ status: 3, due_at: NOW + 41 * DAY_MS })
})

it('a deleted one is purged after 180 days, with its replies and files', async () => {
  const ticket = await createTicket({ status: 4, deletedAt: NOW, dueAt: NOW + 180 * DAY_MS })
  await run(
    `insert into ticket_replies (account_id, ticket_id, side, name, content, created_at)
     select account_id, id, 'customer', 'a', 'b', 0 from tickets where number = ?`,
    [ticket.number],
  )
  for (const [key, holder] of [
    [`k${ticket.number}`, `ticket:${ticket.number}`],
    [`other${ticket.number}`, 'ticket:other'],
  ] as const)
    await run(
      `insert into files (account_id, key, purpose, name, type, bytes, sha256, created_by, created_at, attached_to)
       values (?, ?, 'ticket_image', 'a.png', 'png', 1, '', 'a', 0, ?)`,
      [ticket.accountId, key, holder],
    )
  await work(NOW + 180 * DAY_MS - 1)
  expect(await ticket.row()).not.toBeNull()
  await work(NOW + 180 * DAY_MS)
  expect(await ticket.row()).toBeNull()
  const left = (table: string) => run(`select * from ${table} where account_id = ?`, [ticket.accountId])
  expect(await left('ticket_replies')).toEqual([])
  expect((await left('files')).map(({ key }) => key)).toEqual([`other${ticket.number}`])
  expect(await ticket.messages()).toEqual([])
})

it('a backlog is done in portions', async () => {
  const { accountId } = await createTicket({ dueAt: NOW + 900 * DAY_MS })
  await run(
    `insert into tickets (account_id, number, person, author, type, title, content, status, created_at, updated_at, answered_at, due_at)
     select ?, 'P' || value, 'main:1', 'a', 1, 't', '', 3, 0, 0, ?, ? from json_each(?)`,
    [accountId, NOW, NOW + 6 * DAY_MS, JSON.stringify(Array.from({ length: 250 }, (_, i) => i))],
  )
  await work(NOW + 6 * DAY_MS)
  expect((await run('select count(*) as n from messages where account_id = ?', [accountId]))[0]?.['n']).toBe(250)
})
