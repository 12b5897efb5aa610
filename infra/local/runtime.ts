import { createServer } from 'node:net'
import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler'
import { migrate } from './migrate.ts'
import { inData, inRoot } from './paths.ts'
import { isPortOpen, watchPort } from './port-watch.ts'
import type { Secrets } from './secrets.ts'

/* Local runtime: the Worker, its hubs and database on workerd (Miniflare), kept in the data folder. */

export type Runtime = Awaited<ReturnType<typeof startRuntime>>

const CRON_MS = 60_000

/** Listen address: only this machine, unless HOST names another address of it. */
export const HOST = process.env['HOST'] ?? '127.0.0.1'
export const isOpenToOthers = !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(HOST)

/** Options of both Miniflares: shared data, and no request for the location of this machine. */
const COMMON = {
  host: '127.0.0.1',
  port: 0, // Miniflare's own proxy, unused
  log: new Log(LogLevel.WARN),
  resourcePersistencePath: inData('state'),
  cf: false,
}

interface RuntimeOptions {
  /** Further variables of the Worker. */
  readonly variables?: Readonly<Record<string, string>>
  readonly inspectorPort?: number
  /** Modules that the bundle imports. */
  readonly modules?: readonly string[]
  /** Called when workerd has ended and does not come back. */
  onAway(): void
}

export async function startRuntime(
  bundle: string,
  port: number,
  secrets: Secrets,
  { variables = {}, modules = [], onAway, ...more }: RuntimeOptions,
) {
  const { workerOptions } = workerOptionsOf(inRoot('wrangler.toml'))
  const { modulesRules: _, assets, ...options } = workerOptions
  const url = `http://${/^(0\.0\.0\.0|::)$/.test(HOST) ? '127.0.0.1' : HOST}:${port}`
  await migrateDatabase(options.d1Databases)
  const onRestart = { run: () => {} }
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...COMMON,
      ...more,
      workers: [
        {
          ...options,
          name: 'netloom',
          rootPath: inRoot(),
          modules: [bundle, ...modules].map((path) => ({ type: 'ESModule', path })),
          bindings: {
            ...(options.bindings as Record<string, unknown>),
            ...secrets,
            ...variables,
            ENVIRONMENT: 'local',
            LOCAL_ORIGIN: url,
            ...(isOpenToOthers && { OPEN_TO_OTHERS: '1' }),
            ...(process.env['BENCH_WRITES'] && { BENCH_WRITES: '1' }),
            ...requestedSettings(),
          },
          // Asked directly, and with files of its own behind it: each Worker in front copies and compresses every frame
          // of every live socket once more, which the platform's edge does not.
          serviceBindings: { ASSETS: 'files' },
          ...(process.env['CALL_LIMITS'] && { ratelimits: deployedLimits() }),
          unsafeDirectSockets: [{ host: HOST, port }],
        },
        { name: 'files', modules: true, script: 'export default {}', assets: toFileMap(assets) },
      ],
      unsafeHandleRuntimeRestart: () => onRestart.run(),
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  )
  await miniflare.ready
  /** Runs the crons of wrangler.toml, as the platform would. */
  const runCron = async (cron = '* * * * *') => {
    const worker = await miniflare.getWorker('netloom')
    await worker.scheduled({ cron, scheduledTime: new Date() })
  }
  /** Also after workerd alone was killed: hub outbox entries that it left, and dials at centres that do not come back. */
  onRestart.run = () => void runCron('@start').catch(() => {})
  onRestart.run()
  const timer = setInterval(() => void runCron().catch(() => {}), CRON_MS)
  const watch = watchPort(() => isPortOpen(HOST, port), onAway)
  return {
    url,
    stop: async () => {
      watch.stop()
      clearInterval(timer)
      await miniflare.dispose()
    },
  }
}

/** Settings that a caller gives by the environment of its process in place of those of wrangler.toml. */
const requestedSettings = (): Record<string, string> =>
  Object.fromEntries(
    ['CONFIRM_S', 'RESTART_SPREAD_S', 'CAPTCHA_MODE'].flatMap((name) => {
      const value = process.env[name]
      return value ? [[name, value]] : []
    }),
  )

/** Rate limits of the production environment, which local runs have with CALL_LIMITS=1 only: there, all share an address. */
const deployedLimits = () => workerOptionsOf(inRoot('wrangler.toml'), 'production').workerOptions.ratelimits

/** Migrates in a separate Miniflare without a port: the Worker's one would answer before its tables exist. */
async function migrateDatabase(d1Databases: unknown): Promise<void> {
  const worker = { name: 'migrations', modules: true, script: 'export default {}', d1Databases }
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ ...COMMON, workers: [worker] } as Parameters<typeof convertV4MiniflareOptions>[0]),
  )
  try {
    await migrate((await miniflare.getD1Database('DB')) as unknown as Parameters<typeof migrate>[0])
  } finally {
    await miniflare.dispose()
  }
}

/** Static assets, served before the Worker as on the platform. */
function toFileMap(assets: unknown): object {
  if (!assets) throw new Error('wrangler.toml names no assets')
  const { run_worker_first: _, ...rest } = assets as { run_worker_first?: unknown }
  return { ...rest, routerConfig: { has_user_worker: false } }
}

/** The wanted port, or the next free one. */
export async function freePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + 100; port++) {
    if (await isFree(port)) return port
  }
  throw new Error(`Ports ${wanted} to ${wanted + 99} are all taken; set PORT.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, HOST, () => probe.close(() => resolve(true)))
  })
}
