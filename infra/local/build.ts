import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Plugin, build as viteBuild } from 'vite'
import packageJson from '#package.json' with { type: 'json' }
import { licenseComment } from './licenses.ts'
import { AGENT_BUNDLE, ROOT, inRoot } from './paths.ts'
import { writePublicRoots } from './public-roots.ts'
import { run } from './processes.ts'

/* Builds of the console, the Worker and the agent; each is skipped while its sources are unchanged. */

/** Builds dist/, the SPA, if one of its sources changed. */
export async function buildConsole(): Promise<void> {
  await unlessUnchanged(
    'console',
    [
      'web',
      'worker/contract',
      'worker/domain',
      'vite.config.ts',
      'infra/local/build.ts',
      'infra/local/licenses.ts',
      'infra/local/vite-plugins.ts',
    ],
    'dist/index.html',
    async () => {
      process.env['NODE_ENV'] = 'production' // else a build under a test run would be React's development build
      await viteBuild({ configFile: inRoot('vite.config.ts'), logLevel: 'warn' })
    },
  )
}

const WORKER_BUNDLE = '.wrangler/build/index.js'

/** Builds the Worker as one file, as wrangler would deploy it. */
export async function buildWorker(): Promise<string> {
  writePublicRoots()
  await unlessUnchanged(
    'worker',
    ['worker', 'durable', 'infra/hosts.json', 'wrangler.toml', '.wrangler/public-roots.js'],
    WORKER_BUNDLE,
    () => bundleWorker(dirname(WORKER_BUNDLE)),
  )
  return inRoot(WORKER_BUNDLE)
}

/** Bundles the Worker of wrangler.toml, or another entry, into a folder. */
export async function bundleWorker(folder: string, ...entry: string[]): Promise<void> {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' }
  const args = ['deploy', ...entry, '--dry-run', '--outdir', folder]
  const { code, output } = await run('wrangler', args, { cwd: ROOT, env })
  if (code !== 0) throw new Error(`${entry[0] ?? 'The Worker'} does not build:\n${output}`)
}

/** Keeps only the version of package.json: the agent needs nothing else of it. */
const versionAlone: Plugin = {
  name: 'version-alone',
  load: (id) => (id === inRoot('package.json') ? JSON.stringify({ version: packageJson.version }) : null),
}

/** Builds the agent as one file for any Node, with all imports, instead of an executable per architecture. */
export async function buildAgent(): Promise<string> {
  const sources = ['infra/agent', 'infra/simulator', 'worker/contract', 'worker/domain']
  await unlessUnchanged('agent', [...sources, 'infra/local/build.ts', 'infra/local/licenses.ts'], AGENT_BUNDLE, () =>
    viteBuild({
      configFile: false,
      root: ROOT,
      logLevel: 'warn',
      plugins: [versionAlone, licenseComment],
      ssr: { noExternal: true },
      build: {
        ssr: 'infra/agent/main.ts',
        outDir: dirname(AGENT_BUNDLE),
        emptyOutDir: false, // the Worker's bundle is beside it
        target: 'node22',
        minify: true,
        rolldownOptions: { output: { entryFileNames: basename(AGENT_BUNDLE), codeSplitting: false } },
      },
    }),
  )
  return inRoot(AGENT_BUNDLE)
}

async function unlessUnchanged(
  name: string,
  sources: string[],
  result: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const marker = inRoot('.wrangler', 'build-marks', name)
  const hash = hashSources([...sources, 'package.json', 'package-lock.json'])
  const isFresh = existsSync(marker) && readFileSync(marker, 'utf8') === hash && existsSync(inRoot(result))
  if (isFresh) return
  await work()
  mkdirSync(dirname(marker), { recursive: true })
  writeFileSync(marker, hash)
}

function hashSources(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of listFiles(source)) hash.update(file).update(readFileSync(inRoot(file)))
  }
  return hash.digest('hex')
}

function listFiles(source: string): string[] {
  if (/\.\w+$/.test(source)) return [source]
  const files = readdirSync(inRoot(source), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  if (files.length === 0) throw new Error(`No source in ${source}`)
  return files.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length)).toSorted()
}
