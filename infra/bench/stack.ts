import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyApi } from '#contract/verify/index.ts'
import { createTempFolder } from '#infra/local/paths.ts'
import { childrenOf } from '#infra/local/processes.ts'
import { readRunLock } from '#infra/local/run-lock.ts'
import { localSecrets } from '#infra/local/secrets.ts'

/* Runs the product for a bench: start, crash, restart, and processor time of its processes. */

export interface Server {
  readonly origin: string
  readonly operatorToken: string
}

/** Ways to stop: kill -9 of all processes, kill -9 of workerd alone (its parent restarts it), SIGTERM as in a deploy. */
export type Stop = 'kill' | 'kill workerd' | 'restart'

export interface Stack extends Server {
  readonly workerdPid: number
  /** Data folder. While the stack is down nobody may open a database in it, because workerd recovers them. */
  readonly data: string
  readonly isUp: boolean
  /** Lines of the log since the newest start. */
  lines(): readonly string[]
  /** Newest faults in the log, a line each. */
  faults(): string
  /** Stops the stack and starts it again on the same data; resolves when it answers. */
  interrupt(by: Stop): Promise<void>
  /** Stops the stack for the time of some work, and starts it on the folder that the work names. */
  pause(work: () => Promise<string>): Promise<void>
  stop(): Promise<void>
}

const PRODUCT = ['infra/start.ts', '--no-agents']
const READY_MS = 120_000
const POLL_MS = 100
const FAULTS = 10
const PORT = process.env['BENCH_PORT'] ?? '8860'

interface StackOptions {
  /** Own data folder of the stack. */
  readonly data?: string
  /** Further variables of its processes. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Starts a stack on its own data, without the demo's routers; in memory if there is space: no disk is measured. */
export async function startStack(script: readonly string[] = PRODUCT, options: StackOptions = {}): Promise<Stack> {
  const { data = createTempFolder('netloom-bench-'), variables = {} } = options
  const launchAgain = () => launch(data, script, variables)
  let running = await launchAgain()
  let isUp = true
  const stops: Readonly<Record<Stop, () => Promise<void>>> = {
    async kill() {
      if (findWorkerd(running.child) !== running.workerdPid)
        throw new Error('workerd died by itself; Miniflare started another')
      process.kill(running.workerdPid, 'SIGKILL')
      await end(running.child, 'SIGKILL')
      running = await launchAgain()
    },
    async 'kill workerd'() {
      process.kill(running.workerdPid, 'SIGKILL')
      const isBack = () => ![0, running.workerdPid].includes(findWorkerd(running.child))
      await until(async () => isBack() && answers(running.url), READY_MS)
      running = { ...running, workerdPid: findWorkerd(running.child) }
    },
    async restart() {
      await end(running.child, 'SIGTERM')
      running = await launchAgain()
    },
  }
  const origin = running.url
  const lines = () => running.log().split('\n')
  return {
    origin,
    operatorToken: localSecrets().OPERATOR_TOKEN,
    data,
    get isUp() {
      return isUp
    },
    get workerdPid() {
      return running.workerdPid
    },
    lines,
    faults() {
      const faults = lines().filter((line) => line.includes('"level":"error"'))
      return faults.slice(-FAULTS).join('\n')
    },
    async interrupt(by) {
      isUp = false
      await stops[by]()
      if (running.url !== origin) throw new Error(`The stack came back at ${running.url}, not at ${origin}`)
      isUp = true
    },
    async pause(work) {
      isUp = false
      await end(running.child, 'SIGTERM')
      running = await launch(await work(), script, { ...variables, PORT: new URL(origin).port })
      if (running.url !== origin) throw new Error(`The stack came back at ${running.url}, not at ${origin}`)
      isUp = true
    },
    async stop() {
      await end(running.child, 'SIGTERM')
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** The time at which it came true. */
export async function until(isTrue: () => boolean | Promise<boolean>, ceilingMs: number): Promise<number> {
  for (const end = Date.now() + ceilingMs; !(await isTrue()); await sleep(POLL_MS)) {
    if (Date.now() > end) throw new Error(`not within ${ceilingMs / 1000} s`)
  }
  return Date.now()
}

async function launch(data: string, script: readonly string[], variables: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, script, {
    env: { ...process.env, NETLOOM_DATA: data, PORT, BENCH_WRITES: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(`The stack has ended:\n${output}`)
    return output.includes('Ready in')
  }
  await until(isReady, READY_MS)
  return { child, url: readRunLock(data).url, workerdPid: findWorkerd(child), log: () => output }
}

/** Asks for a captcha, which is a row: with the first query workerd opens its database, and recovers it after a crash. */
const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/api/v1/${verifyApi.code.path}`).then(
    ({ ok }) => ok,
    () => false,
  )

const TICKS_PER_SECOND = 100 // USER_HZ, the same on every Linux that Node runs on

/** Processor seconds a process has used so far, user and system. */
export function cpuSeconds(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const parts = fields.split(' ')
  return (Number(parts[11]) + Number(parts[12])) / TICKS_PER_SECOND
}

/** Pid of the newest workerd below a process, 0 without one. */
const findWorkerd = ({ pid = 0 }: ChildProcess): number => listWorkerds(pid).at(-1) ?? 0

function listWorkerds(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => {
    const isWorkerd = readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('workerd\0serve') // words end in NUL
    return [...(isWorkerd ? [child] : []), ...listWorkerds(child)]
  })
}

export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await new Promise((resolve) => child.once('exit', resolve))
}
