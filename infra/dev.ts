import { createServer } from 'vite'
import { watch } from 'node:fs'
import { buildConsole, buildWorker } from './local/build.ts'
import { inRoot, prepareData } from './local/paths.ts'
import { writeRunLock, removeRunLock, requireRunLock } from './local/run-lock.ts'
import { type Runtime, freePort, startRuntime } from './local/runtime.ts'
import { localSecrets } from './local/secrets.ts'

/** `npm run dev`: vite with hot reload in front of the Worker, which starts again when its sources change. */
await requireRunLock()
prepareData()
const secrets = localSecrets()
await buildConsole() // the Worker serves its index.html
const port = await freePort(Number(process.env['PORT'] ?? 8787))
let runtime: Runtime = await startRuntime(await buildWorker(), port, secrets)
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

async function restart(): Promise<void> {
  try {
    const bundle = await buildWorker()
    await runtime.stop()
    runtime = await startRuntime(bundle, port, secrets)
    vite.config.logger.info('worker restarted', { timestamp: true })
  } catch (error) {
    vite.config.logger.error(String(error))
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(
    signal,
    () =>
      void Promise.all([vite.close(), runtime.stop()])
        .then(removeRunLock)
        .then(() => process.exit(0)),
  )
}
