import { sql } from 'drizzle-orm'
import type { Violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'

/** Guard whose condition never holds. */
export const refusingGuard = (db: Db, refusal: Violation) => guard(db, sql`1 = 0`, refusal)
