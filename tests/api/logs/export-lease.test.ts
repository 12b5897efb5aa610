import { sql } from 'drizzle-orm'
import { env } from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { LOG_EXPORT } from '#contract/logs/limits.ts'
import { spyOnBatch } from '#tests/support/database-spy.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { LOGGED_AT as AT, exportLog as exported } from '#tests/support/log-exports.ts'
import { db } from '#tests/support/test-worker.ts'

/** Longest time for which an export that was cut off may hold up the next. */
const HELD_MS = 10_000

it('an export that was cut off holds up the next ten seconds, one that goes on as long as it lasts', async () => {
  const main = await createMainAccount()
  await db.run(sql`with recursive n (i) as (select 0 union all select i + 1 from n where i < 3999)
    insert into software_login_logs (account_id, router_name, ok, ip, at)
    select ${main.accountId}, 'u' || i, 1, '203.0.113.7', ${AT} - i from n`)
  const key = `log_export:${main.accountId}`
  const ends: number[] = []
  const startedAt = Date.now()
  let portions = 0
  vi.useFakeTimers({ toFake: ['Date'], now: startedAt })
  const run = env.DB!.batch.bind(env.DB)
  spyOnBatch().mockImplementation(async (statements) => {
    vi.setSystemTime(startedAt + ++portions * LOG_EXPORT.renewMs) // each portion takes that long
    const answer = await run(statements)
    const rows = await run<{ window_end: number }>([
      env.DB!.prepare('select window_end from attempts where key = ?').bind(key),
    ])
    ends.push((rows[0]?.results[0]?.window_end ?? startedAt) - Date.now())
    return answer as never
  })
  await exported(main, { type: 'software_login' })
  expect(portions * LOG_EXPORT.renewMs).toBeGreaterThan(HELD_MS)
  expect(Math.max(...ends)).toBeLessThanOrEqual(HELD_MS)
  expect(ends.slice(0, -2).every((ms) => ms > 0)).toBe(true) // the last two write the audit row and free the place
})
