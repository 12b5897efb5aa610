import { refuse } from '#contract/kernel/errors.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { type WatchTarget, selectWatchableRouter } from './sql.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** The hardware router of that name in the caller's scope, with its hub and the account's. */
export async function requireDevice(db: Db, scope: Scope, routerName: string): Promise<WatchTarget> {
  const target = (await selectWatchableRouter(db, scope, routerName)) ?? refuse('ROUTER_NOT_FOUND')
  return target.routerType === ROUTER_TYPE.hardware ? target : refuse('HARDWARE_ONLY')
}
