import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { PRESENCE_STATES } from '#contract/kernel/protocol.ts'
import { onlineSql } from '#features/router/sql/columns.ts'
import { isOnline } from '#domain/health/member.ts'
import { db } from '#tests/support/libsql.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const rows = PRESENCE_STATES.flatMap((state) => [0, 1, null].map((live) => [state, live] as const))

it('each state, with each `live`, is online in SQL exactly when it is by the rule of the domain', async () => {
  const offenders = await findOffenders(rows)(async (state, live) => {
    const [row] = await db.select({ online: sql<number | null>`${onlineSql}` }).from(
      sql`(select ${state === 'unreadable' ? 'online' : state} as presence, ${live} as live,
          ${state === 'unreadable' ? 1 : null} as unreadable_since) as router_states`,
    )
    expect(row?.online === 1).toBe(isOnline({ state, live: live === 1 }))
  })
  expect(offenders).toEqual([])
})
