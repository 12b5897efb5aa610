import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { prepareStatements } from '#db/prepared.ts'
import { jobRuns } from '#db/schema/service.ts'
import { db } from '#tests/support/libsql.ts'

const later = alias(jobRuns, 'later')

it('SQL of prepared statements is built once; each run has its own values, names and null joins', async () => {
  await db.insert(jobRuns).values([
    { job: 'a', at: 1 },
    { job: 'b', at: 2 },
  ])
  let builds = 0
  const build = (builder: Db) => ({
    one: builder
      .select({ job: jobRuns.job, later: { job: later.job, at: later.at } })
      .from(jobRuns)
      .leftJoin(later, and(sql`${later.at} > ${jobRuns.at}`, sql`${later.at} < ${sql.placeholder('before')}`))
      .where(eq(jobRuns.job, sql.placeholder('job'))),
    count: builder.select({ rows: sql<number>`count(*)`.as('rows') }).from(jobRuns),
  })
  const statements = prepareStatements((builder) => {
    builds += 1
    return build(builder)
  })
  const read = (values: Readonly<Record<string, unknown>>) => batch(db, statements(values))
  const [far, near, last] = await Promise.all([
    read({ job: 'a', before: 9 }),
    read({ job: 'a', before: 2 }),
    read({ job: 'b', before: 9 }),
  ])
  expect([far.one, near.one, last.one]).toEqual([
    [{ job: 'a', later: { job: 'b', at: 2 } }],
    [{ job: 'a', later: null }],
    [{ job: 'b', later: null }],
  ])
  expect(far.count).toEqual([{ rows: 2 }])
  expect(builds).toBe(1)
  await expect(read({ job: 'a' })).rejects.toThrow('placeholder "before"')
})
