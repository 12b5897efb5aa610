import { expect, it } from 'vitest'
import { NETWORK } from '#contract/network/limits.ts'
import { openDb } from '#db/client.ts'
import type { Driver, Statement } from '#db/driver.ts'
import { findCandidates, listCandidates } from '#features/router/candidates.ts'
import { createAccount, driver, run } from '#tests/support/libsql.ts'
import { planOf } from '#tests/support/query-plan.ts'

const MEMBERS = 5_000
const PAGE = { kind: '', state: '', network_number: '', outside: 0, page: 1, limit: 10 } as const
const ALL = { ...PAGE, search: '', except: [] }

const { id, ctx } = await createAccount(0)
await run(
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
   insert into routers (account_id, name, router_type, password, note, created_at, hub)
   select ?1, printf('user%04d@five%d', i, ?1), 2, 'x', '', 0, 'default.' || lower(hex(randomblob(16))) from n`,
  [id, MEMBERS],
)

/** Result of a use case and the statements that it sent. */
async function recorded<T>(use: (own: typeof ctx) => Promise<T>) {
  const sent: Statement[] = []
  let trips = 0
  const recording: Driver = (statements) => {
    trips++
    sent.push(...statements)
    return driver(statements)
  }
  return { result: await use({ ...ctx, db: openDb(recording) }), sent, trips }
}

it('finds any of 5,000 software members by one call of at most two indexed statements', async () => {
  for (const n of [1, 2_500, MEMBERS]) {
    const search = `USER${String(n).padStart(4, '0')}`
    const { result, sent, trips } = await recorded((own) => listCandidates(own, { ...ALL, search }))
    expect(result).toMatchObject({ count: 1, kinds: { hardware: 0, software: 1 } })
    expect(result.data.app.map(({ router_name }) => router_name)).toEqual([`${search.toLowerCase()}@five${id}`])
    expect(trips).toBe(1)
    expect(sent.length).toBeLessThanOrEqual(2)
    expect(sent.flatMap(({ sql }) => planOf(sql).scans)).toEqual([])
  }
})

it('pages through all of them in the order of their names', async () => {
  const { data, count, states } = await listCandidates(ctx, { ...ALL, page: MEMBERS / 10 })
  expect([count, states.never]).toEqual([MEMBERS, MEMBERS])
  expect(data.app.map(({ router_name }) => router_name.slice(0, 8))).toEqual(
    Array.from({ length: 10 }, (_, n) => `user${MEMBERS - 9 + n}`),
  )
})

it('finds many by serial number or account, with and without the suffix, and names those that are unknown', async () => {
  await run(`update accounts set sign = ? where id = ?`, [`five${id}`, id])
  const names = [...Array.from({ length: 400 }, (_, n) => `User${1_001 + n}`), `user0007@five${id}`, 'nobody', 'a@b']
  const { result, sent, trips } = await recorded((own) =>
    findCandidates(own, { router_name: names, network_number: [] }),
  )
  expect(result.unknown).toEqual(['nobody', 'a@b'])
  expect(result.app).toHaveLength(401)
  expect([trips, sent.length]).toEqual([1, 1])
  expect(sent.flatMap(({ sql }) => planOf(sql).scans)).toEqual([])
  expect(names.length).toBeLessThan(NETWORK.membersMax)
})
