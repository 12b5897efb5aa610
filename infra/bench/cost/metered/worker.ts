import type { DurableObject } from 'cloudflare:workers'
import worker, {
  AccountHub as ProductAccountHub,
  NetworkHub as ProductNetworkHub,
  RouterHub as ProductRouterHub,
  StatusHub as ProductStatusHub,
} from '#worker/index.ts'
import type { MeterReply, StoredBytes } from '../prices.ts'
import { meterEnv, meterState } from './bindings.ts'
import { counts, faultLines, fireDueAlarms, meterReply, whilePending } from './meter.ts'
import { countDueTimers, installVirtualTime, nextTimerAt, setClock } from './virtual-time.ts'

/**
 * The product's Worker with meters around its bindings and hubs, in virtual time that the bench moves by `/__meter/…`.
 * `npm run bench cost` runs it instead of worker/index.ts.
 */
installVirtualTime()
for (const level of ['log', 'info', 'warn', 'error'] as const) {
  const print = console[level]
  console[level] = (...args: unknown[]) => {
    counts.logLines += 1
    if (level === 'warn' || level === 'error') {
      counts.faults += 1
      faultLines.push(args.map(String).join(' '))
    }
    print(...args)
  }
}

export { DirectoryHub, HashPool } from '#worker/index.ts'

export const RouterHub = metered(ProductRouterHub, 'ROUTER_HUB')
export const NetworkHub = metered(ProductNetworkHub, 'NETWORK_HUB')
export const AccountHub = metered(ProductAccountHub, 'ACCOUNT_HUB')
export const StatusHub = metered(ProductStatusHub, 'STATUS_HUB')

const METER = '/__meter/'
/** Names of the hubs of routers. */
const routerHubs = new Set<string>()
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

async function answer(path: string, query: URLSearchParams, env: Env, ctx: ExecutionContext): Promise<MeterReply> {
  if (path === 'clock') {
    const at = Number(query.get('at'))
    setClock(at)
    await fireDueAlarms(at, (work) => ctx.waitUntil(work))
  }
  if (path === 'cron') {
    counts.workerRequests += 1
    await scheduled?.({ cron: '* * * * *', scheduledTime: 0, noRetry: () => {} }, meterEnv(env, 'worker'), ctx)
  }
  const reply = meterReply({ due: countDueTimers(), nextAt: nextTimerAt() })
  if (path !== 'stored') return reply
  const stored = await Promise.all([...routerHubs].map((name) => meteredHub(env, 'ROUTER_HUB', name).storedBytes()))
  return { ...reply, stored, faultLines }
}

type HubClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>

/** RPC methods that the bench adds to a hub. */
interface MeteredHub {
  fireAlarm(): Promise<void>
  /** Of the hub of a router. */
  storedBytes(): Promise<StoredBytes>
}

/** A hub of the product whose storage, bindings and events are counted. */
function metered(Hub: HubClass, namespace: keyof Env): HubClass {
  return class extends Hub implements MeteredHub {
    constructor(ctx: DurableObjectState, env: Env) {
      const { name = '' } = ctx.id
      if (namespace === 'ROUTER_HUB') routerHubs.add(name)
      meterState(ctx, `${namespace} ${name}`, () => meteredHub(env, namespace, name).fireAlarm())
      super(ctx, meterEnv(env, 'hub'))
    }

    override async fetch(request: Request): Promise<Response> {
      return whilePending(async () => (await super.fetch?.(request)) ?? new Response(null, { status: 404 }))
    }

    override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
      counts.hubMessages += 1
      await whilePending(() => super.webSocketMessage?.(socket, message))
    }

    override async webSocketClose(socket: WebSocket, code: number, reason: string, wasClean: boolean): Promise<void> {
      counts.hubCloses += 1
      await whilePending(() => super.webSocketClose?.(socket, code, reason, wasClean))
    }

    override async webSocketError(socket: WebSocket, error: unknown): Promise<void> {
      counts.hubCloses += 1
      await whilePending(() => super.webSocketError?.(socket, error))
    }

    async fireAlarm(): Promise<void> {
      await whilePending(() => this.alarm?.())
    }

    async storedBytes(): Promise<StoredBytes> {
      const { sql } = this.ctx.storage
      const read = (what: string) => Number(sql.exec<{ bytes: number | null }>(`SELECT ${what} AS bytes`).one().bytes)
      const average = (rows: string) => read(`(SELECT avg(length(body)) FROM ${rows})`)
      const all = read('(SELECT sum(length(body)) FROM hours)') + read('(SELECT sum(length(body)) FROM days)')
      return {
        hour: average('hours'),
        dayByHour: average('days WHERE by_hour = 1'),
        day: average('days WHERE by_hour = 0'),
        rest: sql.databaseSize - all,
      }
    }
  }
}

const meteredHub = (env: Env, namespace: keyof Env, name: string): MeteredHub =>
  (env[namespace] as unknown as { getByName(name: string): MeteredHub }).getByName(name)
