import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inRoot } from '#infra/local/paths.ts'

/* A copy of the checkout whose wrangler is the recorder: what a reader of the guides works in. */

const FOLDERS = ['worker', 'durable', 'web', 'infra', 'migrations']
const FILES = /^(package(-lock)?\.json|wrangler\.toml|tsconfig.*\.json|vite\.config\.ts|\.gitignore)$/

/** Builds of this checkout that are the same in the copy, so that a walk does not make them again. */
const BUILDS = ['dist', '.wrangler/build-marks', '.wrangler/build/agent.mjs', '.wrangler/public-roots.js']

const PLATFORM = new URL('platform.ts', import.meta.url)
const REMOTE_PROGRAM = new URL('remote-program.ts', import.meta.url)

/** Creates the copy, a commit in it, and the folder of programs beside it. */
export function createScratch(folder: string): { readonly root: string; readonly bin: string; readonly home: string } {
  const [root, bin, home] = [join(folder, 'netloom'), join(folder, 'bin'), join(folder, 'home')]
  for (const path of [root, bin, home]) mkdirSync(path)
  for (const name of FOLDERS) cpSync(inRoot(name), join(root, name), { recursive: true })
  for (const name of readdirSync(inRoot('.'))) if (FILES.test(name)) cpSync(inRoot(name), join(root, name))
  for (const name of BUILDS)
    if (existsSync(inRoot(name))) cpSync(inRoot(name), join(root, name), { recursive: true, preserveTimestamps: true })
  linkModules(root)
  for (const name of ['curl', 'scp']) writeProgram(join(bin, name), REMOTE_PROGRAM)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env: { ...process.env, ...GIT } })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'release')
  return { root, bin, home }
}

export const GIT = {
  GIT_AUTHOR_NAME: 'reader',
  GIT_AUTHOR_EMAIL: 'reader@localhost',
  GIT_COMMITTER_NAME: 'reader',
  GIT_COMMITTER_EMAIL: 'reader@localhost',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** Writes a program of a shell that calls a file of the recorder. */
function writeProgram(path: string, file: URL): void {
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(file)}' "$@"\n`)
  chmodSync(path, 0o755)
}

/** Links all packages, and puts the recorder in place of wrangler's program. */
function linkModules(root: string): void {
  const [from, to] = [inRoot('node_modules'), join(root, 'node_modules')]
  mkdirSync(join(to, '.bin'), { recursive: true })
  const skipped = new Set(['.bin', '.installed', '.cache'])
  for (const name of readdirSync(from)) if (!skipped.has(name)) symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, '.bin')))
    if (name !== 'wrangler') symlinkSync(join(from, '.bin', name), join(to, '.bin', name))
  writeProgram(join(to, '.bin', 'wrangler'), PLATFORM)
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  writeFileSync(join(to, '.installed'), lock.digest('hex'))
}
