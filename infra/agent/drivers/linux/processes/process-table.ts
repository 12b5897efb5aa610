import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Log, messageOfError } from '#infra/agent/log.ts'
import { replaceFile } from '#infra/agent/store.ts'
import { type ProcessIdentity, findByCommand, isAlive, readBootId, readStartTime } from './proc.ts'
import { cutLog, readLastLines } from './process-log.ts'

/* Table of the processes of this device: they outlive the agent, and its next start adopts them. */

export interface ProcessSpec {
  readonly name: string
  /** Program and arguments. No other process of the machine has the same: name a folder or file of this device. */
  readonly argv: readonly string[]
  /** Program with its arguments that becomes this one, such as one that changes the namespace first. */
  readonly launcher?: readonly string[]
  readonly cwd: string
  /** Variables beside PATH and LANG. */
  readonly variables?: Readonly<Record<string, string>>
  /** Text whose hash decides on a restart. */
  readonly text: string
  /** File that the output is appended to; cut at 1 MiB. */
  readonly log: string | null
}

export interface RunningProcess extends ProcessIdentity {
  readonly name: string
  readonly textHash: string
}

export interface ProcessExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Last lines of its log, 1 KB at most. */
  readonly lastLines: string
}

export type ExitListener = (name: string, exit: ProcessExit) => void

/** A process of the record; without `pid` it was about to be started. */
const entry = z.object({
  name: z.string(),
  argv: z.array(z.string()),
  textHash: z.string(),
  log: z.string().nullable(),
  pid: z.int().nullable(),
  startTime: z.number().nullable(),
})
type Entry = z.infer<typeof entry>
const record = z.object({ boot_id: z.string(), processes: z.array(entry) })

const POLL_MS = 500
const POLLS_PER_CUT = 4
const STOP_POLL_MS = 20
const GRACE_MS = 3_000
const KILL_MS = 5_000

export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

export class ProcessTable {
  private readonly file: string
  private readonly log: Log
  private readonly bootId: string
  private readonly entries: Map<string, Entry>
  /** Processes whose exit this one is notified of; the others are polled. */
  private readonly children = new WeakSet<Entry>()
  private readonly stopping = new Set<string>()
  private readonly listeners: ExitListener[] = []
  private tail: Promise<void> = Promise.resolve()
  private readonly poll: NodeJS.Timeout
  private polls = 0

  private constructor(file: string, log: Log, bootId: string, entries: Map<string, Entry>) {
    this.file = file
    this.log = log
    this.bootId = bootId
    this.entries = entries
    this.poll = setInterval(() => void this.check(), POLL_MS)
    this.poll.unref()
  }

  /** Reads the record and adopts its processes that are alive: those of this boot with the same start time. */
  static async open(file: string, log: Log): Promise<ProcessTable> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const bootId = await readBootId()
    const kept = await readRecord(file)
    const entries = new Map<string, Entry>()
    for (const known of kept?.boot_id === bootId ? kept.processes : []) {
      const identity = await identify(known)
      if (identity) entries.set(known.name, { ...known, ...identity })
    }
    const table = new ProcessTable(file, log, bootId, entries)
    await table.save()
    return table
  }

  running(): ReadonlyMap<string, RunningProcess> {
    return new Map(
      [...this.entries.values()].flatMap(({ name, pid, startTime, textHash }) =>
        pid === null || startTime === null ? [] : [[name, { name, pid, startTime, textHash }] as const],
      ),
    )
  }

  /** Starts a process in a session of its own. The record names it before it runs, so no crash of the agent loses it. */
  async start({ name, argv, launcher = [], cwd, variables = {}, text, log }: ProcessSpec): Promise<void> {
    if (this.entries.has(name)) throw new Error(`${name} is running already`)
    const planned: Entry = { name, argv: [...argv], textHash: hashOfText(text), log, pid: null, startTime: null }
    this.entries.set(name, planned)
    try {
      await this.save()
      await this.spawn(planned, { launcher, cwd, variables })
    } catch (error) {
      this.entries.delete(name)
      throw error
    }
    // The record holds its command line already, by which it would be found.
    await this.save().catch((error: unknown) => this.log(`cannot record ${name}: ${messageOfError(error)}`))
  }

  /** Ends a process with SIGTERM, and after the grace with SIGKILL; resolves once it is gone. */
  async stop(name: string, graceMs: number = GRACE_MS): Promise<void> {
    const running = this.running().get(name)
    if (!running) return
    this.stopping.add(name)
    try {
      if (!(await endProcess(running, 'SIGTERM', graceMs)) && !(await endProcess(running, 'SIGKILL', KILL_MS)))
        throw new Error(`${name} (process ${running.pid}) does not end`)
      this.entries.delete(name)
      await this.save().catch(() => {}) // the next start finds the process gone
    } finally {
      this.stopping.delete(name)
    }
  }

  /** Adds a listener of exits that nobody asked for. */
  onExit(listener: ExitListener): void {
    this.listeners.push(listener)
  }

  /** Stops watching; the processes go on. */
  close(): void {
    clearInterval(this.poll)
    this.listeners.length = 0
  }

  private async spawn(
    planned: Entry,
    { launcher, cwd, variables }: Required<Pick<ProcessSpec, 'launcher' | 'cwd' | 'variables'>>,
  ): Promise<void> {
    const [program = '', ...args] = [...launcher, ...planned.argv]
    const output = planned.log === null ? null : await open(planned.log, 'a', 0o600)
    try {
      const child = spawn(program, args, {
        cwd,
        detached: true, // setsid: no signal of the agent's terminal or session reaches it
        stdio: ['ignore', output?.fd ?? 'ignore', output?.fd ?? 'ignore'],
        env: { PATH: process.env['PATH'], LANG: 'C', ...variables },
      })
      const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
      ended.catch(() => {}) // of a child that was never spawned
      await once(child, 'spawn') // rejects if the program cannot be run
      child.unref()
      const pid = child.pid ?? 0
      const startTime = (await readStartTime(pid)) ?? 0
      const started: Entry = { ...planned, pid, startTime }
      this.entries.set(planned.name, started)
      this.children.add(started)
      void ended.then(([code, signal]) => this.onEnded(started, code, signal))
    } finally {
      await output?.close()
    }
  }

  /** Polls adopted processes, and cuts logs. */
  private async check(): Promise<void> {
    this.polls += 1
    const cutsLogs = this.polls % POLLS_PER_CUT === 0
    for (const known of this.entries.values()) {
      if (cutsLogs && known.log !== null) await cutLog(known.log).catch(() => {})
      const { pid, startTime } = known
      if (pid === null || startTime === null || this.children.has(known)) continue
      if (!(await isAlive({ pid, startTime }))) await this.onEnded(known, null, null)
    }
  }

  private async onEnded(ended: Entry, code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    const { name, log } = ended
    const lastLines = await readLastLines(log)
    if (this.entries.get(name) !== ended || this.stopping.has(name)) return // stopped, or started again
    this.entries.delete(name)
    void this.save().catch(() => {}) // the next start finds the process gone
    for (const listener of this.listeners) listener(name, { code, signal, lastLines })
  }

  private save(): Promise<void> {
    const write = () => {
      const text = JSON.stringify({ boot_id: this.bootId, processes: [...this.entries.values()] }, null, 2)
      return replaceFile(this.file, `${text}\n`)
    }
    const saved = this.tail.then(write, write)
    this.tail = saved
    saved.catch(() => {}) // the caller gets it
    return saved
  }
}

async function readRecord(file: string): Promise<z.infer<typeof record> | null> {
  try {
    return record.safeParse(JSON.parse(await readFile(file, 'utf8'))).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function identify({ argv, pid, startTime }: Entry): Promise<ProcessIdentity | null> {
  if (pid === null || startTime === null) return findByCommand(argv)
  return (await isAlive({ pid, startTime })) ? { pid, startTime } : null
}

/** Sends a signal; true once the process is gone, false if it is still there after `withinMs`. */
async function endProcess(running: ProcessIdentity, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  if (!(await isAlive(running))) return true
  try {
    process.kill(running.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
    throw error
  }
  const until = performance.now() + withinMs
  while (await isAlive(running)) {
    if (performance.now() >= until) return false
    await new Promise((resolve) => setTimeout(resolve, STOP_POLL_MS))
  }
  return true
}
