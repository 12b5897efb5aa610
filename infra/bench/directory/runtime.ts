import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { build } from 'vite'
import { ROOT, inRoot } from '../../local/paths.ts'
import { writePublicRoots } from '../../local/public-roots.ts'
import { cpuSeconds, descendants } from '../cpu.ts'
import type { Measured } from './directory.ts'
import type { Task } from './task.ts'

const ENTRY = 'infra/bench/directory/worker.ts'

/** The directory client alone, on workerd. */
export async function startClient() {
  writePublicRoots()
  const folder = mkdtempSync(join(tmpdir(), 'netloom-bench-directory-'))
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: ENTRY,
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      rolldownOptions: { external: [/^cloudflare:/, /^node:/], output: { entryFileNames: 'worker.mjs' } },
    },
  })
  const before = new Set(descendants(process.pid, 'workerd'))
  const worker = {
    name: 'directory',
    rootPath: inRoot(),
    modules: [{ type: 'ESModule', path: join(folder, 'worker.mjs') }],
    modulesRoot: folder,
    compatibilityDate: '2026-10-01',
    compatibilityFlags: ['nodejs_compat'],
    durableObjects: { TUNNELLED: { className: 'Tunnelled' } },
  }
  const options = {
    host: '127.0.0.1',
    port: 0,
    inspectorPort: 0,
    log: new Log(LogLevel.WARN),
    cf: false,
    workers: [worker],
  }
  const miniflare = new Miniflare(convertV4MiniflareOptions(options as Parameters<typeof convertV4MiniflareOptions>[0]))
  const url = await miniflare.ready
  const pid = descendants(process.pid, 'workerd').find((each) => !before.has(each))
  if (pid === undefined) throw new Error('workerd did not start')
  const inspector = await openInspector(await miniflare.getInspectorURL())
  return {
    url,
    /** The largest heap while this runs, in MiB, of what is alive: without a limit, workerd lets garbage lie. */
    async peakHeapMiB(work: () => Promise<unknown>): Promise<number> {
      let peak = 0
      let isOver = false
      const watch = async () => {
        while (!isOver) {
          peak = Math.max(peak, await inspector.heapMiB())
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
      const watching = watch()
      await work().finally(() => (isOver = true))
      await watching
      return peak
    },
    async run(task: Task): Promise<Measured> {
      const [start, cpu] = [performance.now(), cpuSeconds(pid)]
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(task) })
      if (!response.ok) throw new Error(await response.text())
      const { count } = (await response.json()) as { count: number }
      return { count, seconds: (performance.now() - start) / 1000, cpuSeconds: cpuSeconds(pid) - cpu }
    },
    stop: async () => {
      inspector.close()
      await miniflare.dispose()
      rmSync(folder, { recursive: true })
    },
  }
}

interface HeapUsage {
  readonly usedSize: number
  readonly embedderHeapUsedSize?: number
  readonly backingStorageSize?: number
}

/** Runtime.getHeapUsage of the DevTools protocol: objects and the bytes of buffers. */
async function openInspector(url: URL) {
  const targets = await fetch(new URL('/json', url.href.replace('ws:', 'http:')))
  const [target] = (await targets.json()) as { webSocketDebuggerUrl: string }[]
  if (!target) throw new Error('workerd has no inspector')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  let lastId = 0
  const send = (method: string) =>
    new Promise<HeapUsage | undefined>((resolve) => {
      lastId++
      const id = lastId
      const take = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as { id?: number; result?: HeapUsage }
        if (message.id !== id) return
        socket.removeEventListener('message', take)
        resolve(message.result)
      }
      socket.addEventListener('message', take)
      socket.send(JSON.stringify({ id, method }))
    })
  const heapMiB = async (): Promise<number> => {
    await send('HeapProfiler.collectGarbage')
    const {
      usedSize = 0,
      embedderHeapUsedSize = 0,
      backingStorageSize = 0,
    } = (await send('Runtime.getHeapUsage')) ?? {}
    return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1024 / 1024
  }
  return { heapMiB, close: () => socket.close() }
}
