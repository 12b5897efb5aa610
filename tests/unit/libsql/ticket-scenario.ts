import type { Db } from '#db/client.ts'
import { moveDueTickets } from '#jobs/tickets.ts'
import { NOW, createAccount, run } from '#tests/support/libsql.ts'

const DAY = 86_400_000
/** More than the job takes in one batch. */
export const SILENT = 102

interface Row {
  readonly title: string
  readonly status: number
  readonly answeredAt: number
  readonly warnedAt?: number
  readonly deletedAt?: number
}

/** Tickets to warn of, one to close and one to purge, whose replies and files go with it. */
export async function createTickets() {
  const { id } = await createAccount(0)
  const rows: readonly Row[] = [
    ...Array.from({ length: SILENT }, (_, n) => ({ title: `提醒${n}`, status: 3, answeredAt: NOW - 6 * DAY })),
    { title: '关闭', status: 3, answeredAt: NOW - 7 * DAY, warnedAt: NOW - DAY },
    { title: '清除', status: 4, answeredAt: 0, deletedAt: NOW - 180 * DAY },
    { title: '未到期', status: 3, answeredAt: NOW },
  ]
  await run(
    `insert into tickets (account_id, number, person, author, type, title, content, status, created_at, updated_at,
       answered_at, warned_at, deleted_at, due_at)
     select ?1, 'J${id}-' || key, 'main:${id}', 'a', 1, value ->> 'title', '', value ->> 'status', 0, 0,
       value ->> 'answeredAt', value ->> 'warnedAt', value ->> 'deletedAt',
       iif(value ->> 'title' = '未到期', ?2 + ${6 * DAY}, ?2) from json_each(?3)`,
    [id, NOW, JSON.stringify(rows)],
  )
  await run(
    `insert into ticket_replies (account_id, ticket_id, side, name, content, created_at)
     select account_id, id, 'adviser', 'a', title, 0 from tickets where account_id = ? and title in ('关闭', '清除')`,
    [id],
  )
  await run(
    `insert into files (account_id, key, purpose, name, type, bytes, sha256, created_by, created_at, attached_to)
     select account_id, number, 'ticket_image', title, 'png', 1, '', 'a', 0, 'ticket:' || number
     from tickets where account_id = ? and title in ('关闭', '清除')`,
    [id],
  )
  const of = async (sql: string) => (await run(sql, [id])).map((row) => ({ ...row }))
  return {
    run: (db: Db, now: number) => moveDueTickets({ db, now, runId: 'r', hubOutbox: [] }),
    result: async () => ({
      tickets: await of(
        `select title, status, revision, warned_at is not null as warned, closed_at is not null as closed,
           due_at is not null as due from tickets where account_id = ? order by id`,
      ),
      messages: await of(
        "select title, person = 'main:' || account_id as own from messages where account_id = ? order by title",
      ),
      audit: await of('select actor_kind, action, message from audit_logs where account_id = ?'),
      replies: await of('select content from ticket_replies where account_id = ?'),
      files: await of('select name from files where account_id = ?'),
      isRefreshed:
        (await run('select 1 from hub_outbox h join accounts a on a.hub = h.hub where a.id = ?', [id])).length > 0,
    }),
  }
}

/** A ticket with an adviser's reply whose mail was refused once. */
export async function createReply(
  accountId: number,
  { dueAt, deletedAt = null }: { readonly dueAt: number; readonly deletedAt?: number | null },
): Promise<void> {
  await run(
    `insert into tickets (account_id, number, person, author, type, title, content, created_at, updated_at, deleted_at)
     values (?1, 'M' || ?1, 'main:' || ?1, 'a', 1, '断线', '', 0, 0, ?2)`,
    [accountId, deletedAt],
  )
  await run(
    `insert into ticket_replies (account_id, ticket_id, side, name, content, files, created_at, mail_due_at, mail_tries)
     select account_id, id, 'adviser', '王工', '已处理', '["k"]', ?2, ?2, 1 from tickets where account_id = ?1`,
    [accountId, dueAt],
  )
}
