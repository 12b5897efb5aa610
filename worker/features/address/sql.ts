import { and, eq } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { saasDevices } from '#db/schema/saas.ts'

/* Statement that reads the countries of a bandwidth pool's devices. */

export const selectExitCountries = (db: Db, { accountId }: Scope, poolId: number) =>
  db
    .selectDistinct({ code: saasDevices.country })
    .from(saasDevices)
    .where(and(eq(saasDevices.accountId, accountId), eq(saasDevices.poolId, poolId)))
