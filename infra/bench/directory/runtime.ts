import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { build } from 'vite'
import { ROOT, inRoot } from '#infra/local/paths.ts'
import { writePublicRoots } from '#infra/local/public-roots.ts'
import { cpuSeconds, descendants } from '../cpu.ts'
import { openInspector } from './inspector.ts'
import type { Measured, Task } from './task.ts'

const ENTRY = 'infra/bench/directory/measured/client.ts'

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
    peakHeapMiB: inspector.peakHeapMiB,
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
