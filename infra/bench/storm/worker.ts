import type { DurableObject } from 'cloudflare:workers'
import worker, {
  AccountHub as ProductAccountHub,
  NetworkHub as ProductNetworkHub,
  RouterHub as ProductRouterHub,
} from '#worker/index.ts'
import { withBatch } from '../cost/metered/with-batch.ts'
import { withMethods } from '../with-methods.ts'
import { type DatabaseReply, LIMIT_PATH, LIMITED } from './limit.ts'

/*
 * The product's Worker for `npm run bench storm` and `flood`, with a database that answers a limited number of calls a
 * second and counts them by their callers. Each start is limited, until the bench lifts the limit.
 */

export { DirectoryHub, HashPool, StatusHub } from '#worker/index.ts'

export const RouterHub = limited(ProductRouterHub)
export const NetworkHub = limited(ProductNetworkHub)
export const AccountHub = limited(ProductAccountHub)

const calls = { connects: 0, hubs: 0, others: 0 }
let perSecond: number = LIMITED.perSecond
/** Time at which the database is free again: it answers one call after the other. */
let freeAt = 0

/** A local run writes each captcha into its outbox as well; a deployment has no such write. */
const withoutOutbox = (sql: string): string =>
  sql.replace(/^insert into "outbox" \(.*?\) values \((.*)\)$/, 'select $1')

function limitDatabase(env: Env, caller: keyof typeof calls): Env {
  const { DB } = env
  if (!DB) throw new Error('bench storm needs D1')
  const deployed = withMethods(DB, { prepare: (sql: string) => DB.prepare(withoutOutbox(sql)) })
  const limited = withBatch(deployed, (run) => async (statements: D1PreparedStatement[]) => {
    calls[caller] += 1
    const now = Date.now()
    freeAt = Math.max(freeAt, now) + (perSecond > 0 ? 1000 / perSecond : 0)
    if (freeAt > now) await scheduler.wait(freeAt - now)
    return run(statements)
  })
  return { ...env, DB: limited }
}

type HubClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>

/** A hub of the product whose calls of the database are limited. */
function limited(Hub: HubClass): HubClass {
  return class extends Hub {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, limitDatabase(env, 'hubs'))
    }
  }
}

export default {
  ...worker,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== LIMIT_PATH) {
      const caller = pathname === '/device/v1/connect' ? 'connects' : 'others'
      return worker.fetch(request, limitDatabase(env, caller), ctx)
    }
    perSecond = Number(searchParams.get('per_second') ?? perSecond)
    freeAt = 0
    const logLines = (await env.DB?.prepare('SELECT count(*) AS n FROM connection_logs').first<number>('n')) ?? 0
    return Response.json({ ...calls, logLines } satisfies DatabaseReply)
  },
}
