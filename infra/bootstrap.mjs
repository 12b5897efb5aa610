// Entry of every npm script. Plain JavaScript: it runs on any Node ≥ 18 before anything is installed, installs what the
// lock file names (Node 24 included, a package for each platform) and hands over to that Node.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseNode } from './node-binary.mjs'

const TASKS = {
  start: 'infra/start.ts',
  dev: 'infra/dev.ts',
  test: 'infra/test.ts',
  check: 'infra/check.ts',
  ops: 'infra/ops.ts',
  agent: 'infra/agent/main.ts',
  bench: 'infra/bench/main.ts',
  openapi: 'infra/openapi.ts',
  handbook: 'infra/handbook.ts',
  directory: 'infra/directory.ts',
  lab: 'infra/lab/main.ts',
  deploy: 'infra/deploy.ts',
}
const NODE_MAJOR = 24
const PARENT_CHECK_MS = 500

const root = fileURLToPath(new URL('..', import.meta.url))
const [task = '', ...args] = process.argv.slice(2)
const script = TASKS[task]
const ownMajor = Number(process.versions.node.split('.')[0])
if (!script) stop(`Unknown task "${task}". Known: ${Object.keys(TASKS).join(', ')}.`)
if (ownMajor < 18) stop(`Node 18 or newer is needed to begin; this is ${process.version}.`)

/** The child at work, which gets every signal; a second Ctrl-C of the terminal's does no harm. */
let child = null
let ending = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal))
watchParent()

await install()
const bin = join(root, 'node_modules', '.bin')
const { code } = await run(node(), [join(root, script), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: bin + delimiter + process.env.PATH,
    // Read by Miniflare while it is imported: workerd then trusts the SMTP server of the fakes.
    ...(args.includes('--fakes') && { NODE_EXTRA_CA_CERTS: join(root, 'tests/support/fakes/localhost-cert.pem') }),
  },
})
process.exit(code)

function run(command, parameters, options) {
  return new Promise((resolve) => {
    child = spawn(command, parameters, options)
    child.on('error', (error) => stop(`${command}: ${error.message}`))
    child.on('exit', (code, signal) => {
      child = null
      if (ending) process.exit(code ?? 1)
      resolve({ code: code ?? (signal ? 1 : 0) })
    })
  })
}

function end(signal) {
  ending = true
  if (child) child.kill(signal)
  else process.exit(1)
}

/** npm that is killed tells nobody: its child then belongs to another process, and ends what it runs. */
function watchParent() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent && !ending) end('SIGTERM')
  }, PARENT_CHECK_MS).unref()
}

function node() {
  const { execPath: own, version, platform, arch } = process
  const installed = join(bin, 'node')
  const locked = existsSync(installed) ? installed : null
  const { path, problem } = chooseNode({ locked, own, version, platform, arch }, NODE_MAJOR)
  return path ?? stop(problem)
}

/** Installs when the lock file changed since the last time; a checkout that is up to date pays a hash. */
async function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const marker = join(root, 'node_modules', '.installed')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return
  process.stderr.write('Installing dependencies (once) …\n')
  const npm = process.env.npm_execpath
  // Not `npm ci`: it refuses a lock file that lacks optional binaries of platforms the registry at hand does not carry.
  const command = [
    'install',
    '--no-save',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const done = await (npm ? run(process.execPath, [npm, ...command], options) : run('npm', command, options))
  if (done.code !== 0) {
    stop(
      'npm install failed: the npm registry must be reachable the first time. Nothing else needs a network after that.',
    )
  }
  rmSync(marker, { force: true })
  writeFileSync(marker, lock)
}

function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
