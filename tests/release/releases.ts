import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { buildWorker } from '#infra/local/build.ts'
import { ROOT, inRoot } from '#infra/local/paths.ts'
import { run } from '#infra/local/processes.ts'
import { writePublicRoots } from '#infra/local/public-roots.ts'

/* Releases of the product: their sources, and the bundle of their Worker. */

export interface Release {
  readonly folder: string
  readonly bundle: string
}

/** Sources of the Worker, and of the devices that come to it. */
const SOURCES = ['package.json', 'wrangler.toml', 'tsconfig.json', 'tsconfig.base.json', 'worker', 'durable', 'infra']

export async function buildCheckout(): Promise<Release> {
  mkdirSync(inRoot('dist'), { recursive: true }) // the folder of assets has to exist
  return { folder: ROOT, bundle: await buildWorker() }
}

/** Builds the release of a commit with the packages of this checkout, once; null where this clone does not have the commit. */
export async function buildCommit(commit: string): Promise<Release | null> {
  const folder = inRoot('.wrangler/releases', commit)
  const bundle = join(folder, 'bundle/index.js')
  if (existsSync(bundle)) return { folder, bundle }
  if ((await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT })).code !== 0) return null
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, '.wrangler'), { recursive: true })
  const archive = join(folder, 'sources.tar')
  await succeed('git', ['archive', '--output', archive, commit, ...SOURCES], ROOT)
  await succeed('tar', ['-xf', archive], folder)
  rmSync(archive)
  symlinkSync(inRoot('node_modules'), join(folder, 'node_modules'))
  writePublicRoots()
  cpSync(inRoot('.wrangler/public-roots.js'), join(folder, '.wrangler/public-roots.js'))
  mkdirSync(join(folder, 'dist')) // the folder of assets has to exist
  await succeed('wrangler', ['deploy', '--dry-run', '--outdir', 'bundle'], folder)
  return { folder, bundle }
}

async function succeed(command: string, args: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' }
  const { code, output } = await run(command, args, { cwd, env })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}:\n${output}`)
}
