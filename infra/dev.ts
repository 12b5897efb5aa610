import { createServer } from 'vite'
import { watch } from 'node:fs'
import { buildConsole, buildWorker } from './local/build.ts'
import { inRoot, prepareData } from './local/paths.ts'
import { endWithoutService } from './local/port-watch.ts'
import { writeRunLock, removeRunLock, requireRunLock } from './local/run-lock.ts'
import { type Runtime, freePort, startRuntime } from './local/runtime.ts'
import { localSecrets } from './local/secrets.ts'

/** `npm run dev`: vite with hot reload in front of the Worker, which starts again when its sources change. */
await requireRunLock()
prepareData()
const secrets = localSecrets()
await buildConsole() // the Worker serves its index.html
const port = await freePort(Number(process.env['PORT'] ?? 8787))
let runtime = await start(await buildWorker())
writeRunLock(runtime.url)
process.env['WORKER_ORIGIN'] = runtime.url
const vite = await createServer({ configFile: inRoot('vite.config.ts') })
await vite.listen()
vite.printUrls()

const SETTLE_MS = 300
let timer: NodeJS.Timeout | undefined
for (const folder of ['worker', 'durable']) {
  watch(inRoot(folder), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void restart(), SETTLE_MS)
  })
}

function start(bundle: string): Promise<Runtime> {
  const print = (line: string) => vite.config.logger.error(line)
  return startRuntime(bundle, port, secrets, {
    onAway: () => endWithoutService({ print, stop, exit: process.exit }),
  })
}

async function restart(): Promise<void> {
  try {
    const bundle = await buildWorker()
    await runtime.stop()
    runtime = await start(bundle)
    vite.config.logger.info('worker restarted', { timestamp: true })
  } catch (error) {
    vite.config.logger.error(String(error))
  }
}

async function stop(exitCode = 0): Promise<void> {
  await Promise.all([vite.close(), runtime.stop()])
  removeRunLock()
  process.exit(exitCode)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
