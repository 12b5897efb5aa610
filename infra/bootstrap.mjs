// Entry of every npm script. Plain JavaScript: it runs on any Node ≥ 18 before anything is installed, installs what the
// lock file names (Node 24 included, as a package) and hands over to that Node.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TASKS = {
  start: 'infra/start.ts',
  dev: 'infra/dev.ts',
  test: 'infra/test.ts',
  check: 'infra/check.ts',
  ops: 'infra/ops.ts',
  agent: 'infra/agent/main.ts',
  bench: 'infra/bench/main.ts',
  openapi: 'infra/openapi.ts',
  deploy: 'infra/deploy.ts',
}

const root = fileURLToPath(new URL('..', import.meta.url))
const [task = '', ...args] = process.argv.slice(2)
const script = TASKS[task]
if (!script) stop(`Unknown task "${task}". Known: ${Object.keys(TASKS).join(', ')}.`)
if (Number(process.versions.node.split('.')[0]) < 18)
  stop(`Node 18 or newer is needed to begin; this is ${process.version}.`)

install()
const bin = join(root, 'node_modules', '.bin')
const child = spawn(join(bin, 'node'), [join(root, script), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: bin + delimiter + process.env.PATH },
})
// The terminal sends Ctrl-C to both processes; a plain kill reaches only this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal === 'SIGINT' || child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

/** Installs when the lock file changed since the last time; a checkout that is up to date pays a hash. */
function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const marker = join(root, 'node_modules', '.installed')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return
  process.stderr.write('Installing dependencies (once) …\n')
  const npm = process.env.npm_execpath
  // Not `npm ci`: it refuses a lock file that lacks optional binaries of platforms the registry at hand does not carry.
  const command = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const done = npm
    ? spawnSync(process.execPath, [npm, ...command], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', command, { cwd: root, stdio: ['ignore', 2, 2] })
  if (done.status !== 0) {
    stop(
      'npm install failed: the npm registry must be reachable the first time. Nothing else needs a network after that.',
    )
  }
  writeFileSync(marker, lock)
}

function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
