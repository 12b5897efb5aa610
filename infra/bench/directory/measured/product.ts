import worker, { DirectoryHub as ProductDirectoryHub } from '#worker/index.ts'
import { METER, type RunCost } from '../run-cost.ts'
import { insertBare } from './bare-insert.ts'
import { countRun, meterDatabase, meterStorage } from './meter.ts'

/** The product's Worker whose DirectoryHub counts what its runs cost. */
export { AccountHub, HashPool, NetworkHub, RouterHub } from '#worker/index.ts'

let last: RunCost | null = null
let ended: (cost: RunCost) => void = () => {}

export class DirectoryHub extends ProductDirectoryHub {
  constructor(ctx: DurableObjectState, env: Env) {
    meterStorage(ctx)
    super(ctx, meterDatabase(env))
  }

  override async alarm(): Promise<void> {
    last = await countRun(() => super.alarm())
    ended(last)
  }

  /** As the alarm finds it an hour later. */
  async runDue(): Promise<RunCost> {
    const { kv } = this.ctx.storage
    kv.put('state', { ...kv.get<object>('state'), dueAt: Date.now() - 1 })
    const run = new Promise<RunCost>((resolve) => (ended = resolve))
    await this.ctx.storage.setAlarm(Date.now())
    return run
  }
}

interface MeteredHub {
  runDue(): Promise<RunCost>
}

async function theHub(env: Env): Promise<MeteredHub> {
  const hub = await env.DB?.prepare('SELECT hub FROM ldap_hubs').first<string>('hub')
  if (!hub) throw new Error('no account has a directory')
  return env.DIRECTORY_HUB.getByName(hub) as unknown as MeteredHub
}

export default {
  ...worker,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    switch (pathname) {
      case METER.run:
        return Response.json(await (await theHub(env)).runDue())
      case METER.last:
        return Response.json(last)
      case METER.bare:
        return Response.json(await insertBare(env, searchParams.get('account') ?? ''))
      default:
        return worker.fetch(request, env, ctx)
    }
  },
}
