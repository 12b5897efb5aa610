import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'

const PORT = 8850
const ENDED_MS = 20_000
const OPEN_TO_OTHERS = 'whoever reaches this address can read captchas and codes in the outbox.'

const started: { readonly npm: ChildProcess; readonly data: string }[] = []
afterEach(async () => {
  for (const { npm, data } of started.splice(0)) {
    npm.kill('SIGTERM')
    await vi.waitUntil(() => processesOn(data).length === 0, { timeout: ENDED_MS })
    rmSync(data, { recursive: true, force: true })
  }
})

/** `npm start` itself, as a person types it, on a folder of its own. */
function npmStart(options: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const data = mkdtempSync(join(tmpdir(), 'netloom-start-'))
  const npm = spawn('npm', ['start', '--', ...options], {
    env: { ...process.env, NETLOOM_DATA: data, PORT: String(PORT), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push({ npm, data })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const origin = () => (JSON.parse(readFileSync(join(data, 'running.json'), 'utf8')) as { url: string }).url
  const ready = () => expect.poll(() => output, { timeout: 120_000 }).toContain('Ready in')
  return { npm, data, origin, ready, output: () => output }
}

/** Command lines of all processes that work on a data folder. */
function processesOn(data: string): string[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8').replaceAll('\0', ' ')
    } catch {
      return '' // it ended in between
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(`NETLOOM_DATA=${data} `))
    .map((name) => read(`/proc/${name}/cmdline`))
    .filter((line) => line !== '')
}

/** Request line and Host as they stand, which no client would send. */
function sendRaw(port: number, line: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    )
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

/** Until npm itself has ended. */
async function send(signal: NodeJS.Signals, { npm, data }: ReturnType<typeof npmStart>): Promise<void> {
  expect(processesOn(data).filter((line) => line.includes('workerd serve'))).not.toEqual([])
  const ended = new Promise((resolve) => npm.once('exit', resolve))
  npm.kill(signal)
  await ended
}

it('SIGTERM to npm ends everything it started', async () => {
  const run = npmStart()
  await run.ready()
  await send('SIGTERM', run)
  expect(processesOn(run.data)).toEqual([]) // npm waits for its child
})

it('ends as well while it is still starting', async () => {
  const { npm, data } = npmStart(['--no-demo'])
  await expect.poll(() => processesOn(data).some((line) => line.includes('infra/start.ts'))).toBe(true)
  npm.kill('SIGTERM')
  await expect.poll(() => processesOn(data), { timeout: ENDED_MS }).toEqual([])
})

it('says so where HOST opens it to others, who can read the outbox; SIGKILL to npm ends it as well', async () => {
  const run = npmStart(['--no-demo'], { HOST: '0.0.0.0' })
  await run.ready()
  expect(run.output()).toContain(`HOST=0.0.0.0: ${OPEN_TO_OTHERS}`)
  expect((await fetch(`${run.origin()}/__local/outbox`)).status).toBe(200)
  await send('SIGKILL', run)
  await expect.poll(() => processesOn(run.data), { timeout: ENDED_MS }).toEqual([])
})

it('answers once its tables are there, to its own names, keeps its data to itself and ends with Ctrl-C', async () => {
  const run = npmStart(['--no-demo'])
  const { data, origin, ready, output } = run
  const statuses: number[] = []
  const outbox = `http://127.0.0.1:${PORT}/__local/outbox`
  await expect
    .poll(async () => statuses.push((await fetch(outbox).catch(() => ({ status: 0 }))).status) && statuses.at(-1), {
      interval: 5,
      timeout: 120_000,
    })
    .not.toBe(0)
  expect(statuses.at(-1)).toBe(200)
  await ready()
  expect(output()).not.toContain(OPEN_TO_OTHERS)
  const port = Number(new URL(origin()).port)

  expect(statSync(join(data, 'state')).mode & 0o777).toBe(0o700)
  for (const [line, host] of [
    ['GET /login', 'a b'],
    ['GET /login', 'a/b'],
    ['GET /login', '[::1'],
    ['GET /login', '127.0.0.1:99999'],
    ['GET /login', '%00'],
    ['GET *', 'localhost'],
    ['GET /api/v1/site/config', 'a b'],
    ['POST /api/v1/login/logout', 'a b'],
    ['GET /__local/outbox', 'rebound.example'],
  ] as const) {
    const answer = await sendRaw(port, line, host)
    expect(answer, `${line} ${host}`).toMatch(/^HTTP\/1\.1 400 [^]*"code":400/)
  }
  for (const host of ['localhost', '127.0.0.1', `[::1]:${port}`])
    expect(await sendRaw(port, 'GET /login', host)).toMatch(/^HTTP\/1\.1 200 /)

  await send('SIGINT', run)
  expect(processesOn(data)).toEqual([])
})
