import { env } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { MESSAGE } from '#contract/message/limits.ts'
import { readAccount } from '#durable/account-hub/database.ts'
import { d1Driver } from '#db/driver.ts'
import { openDb } from '#db/client.ts'
import { selectUserById } from '#features/account/sql/users.ts'
import { selectUnread } from '#features/message/sql.ts'
import { type Caller, createMainAccount, createRouter, createSubAccount } from '#tests/support/fixtures.ts'
import { insertMember, insertNetwork } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'

// Rows that D1 has read are what it bills: a badge must not read all messages that are kept.

/** A binding that adds up the rows that its batches read. */
function countingBinding() {
  const counted = { rows: 0 }
  const binding = {
    prepare: (text: string) => env.DB!.prepare(text),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.DB!.batch(statements)
      for (const { meta } of results) counted.rows += meta.rows_read
      return results
    },
  } as D1Database
  return { binding, counted }
}

async function rowsRead<T>(work: (binding: D1Database) => PromiseLike<T>): Promise<readonly [rows: number, answer: T]> {
  const { binding, counted } = countingBinding()
  const answer = await work(binding)
  return [counted.rows, answer]
}

const numbers = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, i) => i))

/** Messages of all kinds: about a network, about a router, about neither; all that there are then are read by everybody named. */
const addMessages = (accountId: number, number: string, router: string, count: number, readBy: readonly string[]) =>
  db.batch([
    db.run(sql`
      insert into messages (account_id, event_id, type, title, content, network_number, router_name, person, created_at)
      select ${accountId}, 'unread:' || ${accountId} || ':' || (select count(*) from messages) || ':' || value, '告警', 't', 'c',
        case value % 3 when 0 then ${number} else '' end, case value % 3 when 1 then ${router} else '' end, '', 1
      from json_each(${numbers(count)})`),
    db.run(sql`
      insert into message_marks (message_id, person, account_id, read_at)
      select m.id, p.value, m.account_id, 1 from messages m, json_each(${JSON.stringify(readBy)}) p
      where m.account_id = ${accountId} on conflict do nothing`),
  ])

async function createReaders() {
  const main = await createMainAccount()
  const { accountId } = main
  const network = await insertNetwork({ accountId })
  const router = await createRouter(accountId)
  await insertMember({ accountId, networkId: network.id, routerId: router.id, memberType: 'center', host: 2 })
  const limited = await createSubAccount(main, { networks: [network.number] })
  const person = ({ session: { ramId } }: Caller) => (ramId === null ? `main:${accountId}` : `ram:${ramId}`)
  const add = (count: number) =>
    addMessages(accountId, network.number, router.name, count, [person(main), person(limited)])
  return { main, limited, person, add }
}

/** Everywhere the number is read: the call behind a page, the list of messages, the hub that counts for open consoles. */
const COUNTS: readonly (readonly [
  string,
  (who: Caller, person: string) => (binding: D1Database) => Promise<number>,
])[] = [
  [
    'account/info',
    ({ session }) =>
      async (binding) =>
        (await selectUserById(openDb(d1Driver(binding)), session.accountId, session.ramId))[0]!.unread,
  ],
  [
    'message/lists',
    ({ session }) =>
      async (binding) =>
        (await selectUnread(openDb(d1Driver(binding)), session))[0]![0],
  ],
  [
    'the account’s hub',
    ({ session, hub }, person) =>
      async (binding) => {
        const question = { watching: [], endedSince: Date.now(), routerHubs: [], ticketsSince: Date.now() }
        const watchers = [{ person, grants: session.grants }]
        const facts = await readAccount({ ...env, DB: binding }, hub, { ...question, watchers })
        return facts!.unread[0]!
      },
  ],
]

it.each(COUNTS)('%s reads no more rows for three times as many messages', async (_, count) => {
  const { main, limited, person, add } = await createReaders()
  await add(2 * MESSAGE.countedNewest)
  for (const who of [main, limited]) {
    const [before] = await rowsRead(count(who, person(who)))
    await add(2 * MESSAGE.countedNewest)
    const [after, unread] = await rowsRead(count(who, person(who)))
    expect(unread).toBe(0)
    expect(after).toBeLessThanOrEqual(before + 10)
    expect(after).toBeLessThan(6 * MESSAGE.countedNewest) // each with its mark, by index and by row
  }
})

it('unread messages among the newest are counted, older ones are not', async () => {
  const { main, person, add } = await createReaders()
  const { accountId } = main
  const unread = () => rowsRead(COUNTS[0]![1](main, person(main)))
  const insert = (n: number) =>
    db.run(sql`insert into messages (account_id, event_id, type, title, content, created_at)
      select ${accountId}, 'new:' || ${accountId} || ':' || ${n} || ':' || value, '系统', 't', 'c', 1
      from json_each(${numbers(n)})`)
  await insert(3)
  expect((await unread())[1]).toBe(3)
  await add(MESSAGE.countedNewest - 3)
  await db.run(sql`delete from message_marks where account_id = ${accountId}
    and message_id in (select id from messages where account_id = ${accountId} order by id limit 3)`)
  expect((await unread())[1]).toBe(3)
  await insert(5)
  expect((await unread())[1]).toBe(5) // the oldest three are beyond what is counted
})
