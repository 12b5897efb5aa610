import { sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import type { Revision } from '#db/conflict.ts'
import { routers } from '#db/schema/routers.ts'
import { type RouterKey, guardRouter, isRouterNamed } from './routers.ts'

/* Statements on the addresses that an account has set for a router. */

export const selectEndpointsRow = (db: Db, scope: Scope, name: string) =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      name: routers.name,
      note: routers.note,
      routerType: routers.routerType,
      endpoints: routers.endpoints,
      revision: routers.endpointsRevision,
    })
    .from(routers)
    .where(isRouterNamed(db, scope, name))

/** Guard: the addresses are still those that were read. */
export const guardEndpointsRevision = (db: Db, router: RouterKey & Pick<Revision, 'revision'>) =>
  guardRouter(db, router, sql`endpoints_revision = ${router.revision}`, violation('SETTING_CHANGED'))
