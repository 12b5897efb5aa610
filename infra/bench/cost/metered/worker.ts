import worker, {
  AccountHub as ProductAccountHub,
  NetworkHub as ProductNetworkHub,
  RouterHub as ProductRouterHub,
} from '#worker/index.ts'
import { meterEnv } from './bindings.ts'
import { metered, meteredHub } from './hub.ts'
import { counts, fireDueAlarms, hubNames, meterReply, whilePending } from './meter.ts'
import { installVirtualTime, setClock } from './virtual-time.ts'

/** The product's Worker with its meters read; `npm run bench cost` runs it in place of worker/index.ts. */
installVirtualTime()
for (const level of ['log', 'info', 'warn', 'error'] as const) {
  const print = console[level]
  console[level] = (...args: unknown[]) => {
    counts.logLines += 1
    if (level === 'warn' || level === 'error') counts.faults += 1
    print(...args)
  }
}

export { DirectoryHub, HashPool } from '#worker/index.ts'

export const RouterHub = metered(ProductRouterHub, 'ROUTER_HUB')
export const NetworkHub = metered(ProductNetworkHub, 'NETWORK_HUB')
export const AccountHub = metered(ProductAccountHub, 'ACCOUNT_HUB')

const METER = '/__meter/'
const { scheduled }: ExportedHandler<Env> = worker

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname.startsWith(METER)) {
      return Response.json(await answer(pathname.slice(METER.length), searchParams, env, ctx))
    }
    counts.workerRequests += 1
    counts.logLines += 1 // a request's line, which local runs leave out
    return whilePending(() => worker.fetch(request, meterEnv(env, 'worker'), ctx))
  },
}

async function answer(path: string, query: URLSearchParams, env: Env, ctx: ExecutionContext): Promise<unknown> {
  switch (path) {
    case 'clock': {
      const at = Number(query.get('at'))
      setClock(at)
      await fireDueAlarms(at)
      return meterReply()
    }
    case 'cron':
      counts.workerRequests += 1
      await scheduled?.({ cron: '* * * * *', scheduledTime: 0, noRetry: () => {} }, meterEnv(env, 'worker'), ctx)
      return meterReply()
    case 'stored':
      return Promise.all(hubNames('ROUTER_HUB').map((name) => meteredHub(env, 'ROUTER_HUB', name).storedBytes()))
    default:
      return meterReply()
  }
}
