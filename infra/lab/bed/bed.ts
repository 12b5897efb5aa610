import { type ChildProcess, spawn } from 'node:child_process'
import { type Namespace, planBed } from './plan.ts'
import { processesIn, programOf, removeNamespaces } from './namespaces.ts'

/* The bed as it stands: builds it, runs programs in its namespaces, and removes it. */

/** Variable that every process of a run inherits, so that its leftovers can be found by nothing else. */
export const RUN_VARIABLE = 'NETLOOM_LAB'

export interface Ended {
  readonly code: number
  readonly output: string
}

export interface ProgramOptions {
  readonly input?: string
  /** It is ended then, as failed. */
  readonly timeoutMs?: number
}

export class Bed {
  readonly prefix: string
  private readonly plan: readonly Namespace[]

  constructor(prefix: string) {
    this.prefix = prefix
    this.plan = planBed(prefix)
  }

  /** Stage by stage, because the far end of a cable is in another namespace; the namespaces of a stage at the same time. */
  async build(): Promise<void> {
    const each = (run: (namespace: Namespace) => Promise<unknown>) => Promise.all(this.plan.map(run))
    await each(({ name }) => this.require('ip', ['netns', 'add', name]))
    await each(({ name, links }) => this.batch(name, links))
    await each(async ({ name, settings, sysctls, filter }) => {
      await this.batch(name, settings)
      await this.require('ip', ['netns', 'exec', name, 'sysctl', '-qw', ...sysctls])
      if (filter !== null) await this.require('ip', ['netns', 'exec', name, 'nft', '-f', '-'], filter)
    })
  }

  /** Ends what runs in the namespaces, and deletes them. */
  remove(): Promise<void> {
    return removeNamespaces(this.plan.map(({ name }) => name))
  }

  namespaces(): readonly string[] {
    return this.plan.map(({ name }) => name).toSorted()
  }

  private fullName(host: string): string {
    const name = `${this.prefix}-${host}`
    if (!this.plan.some((one) => one.name === name)) throw new Error(`no host ${host}`)
    return name
  }

  /** Programs that run at a host, by process. */
  processes(host: string): ReadonlyMap<number, string> {
    return new Map(processesIn([this.fullName(host)]).map((pid) => [pid, programOf(pid)]))
  }

  /** Starts a program at a host. */
  start(host: string, argv: readonly string[], options: { readonly output: 'pipe' | number }): ChildProcess {
    const stdio = ['pipe', options.output, options.output] as const
    return spawn('ip', ['netns', 'exec', this.fullName(host), ...argv], { env: this.environment(), stdio: [...stdio] })
  }

  /** Runs a program at a host until it ends. */
  run(host: string, argv: readonly string[], options: ProgramOptions = {}): Promise<Ended> {
    return this.execute('ip', ['netns', 'exec', this.fullName(host), ...argv], options)
  }

  private batch(name: string, commands: readonly (readonly string[])[]): Promise<void> {
    if (commands.length === 0) return Promise.resolve()
    const lines = commands.map((words) => `${words.join(' ')}\n`)
    return this.require('ip', ['-n', name, '-batch', '-'], lines.join(''))
  }

  private async require(command: string, args: readonly string[], input = ''): Promise<void> {
    const { code, output } = await this.execute(command, args, { input })
    if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${output.trim() || `exit ${code}`}`)
  }

  private execute(command: string, args: readonly string[], { input = '', timeoutMs }: ProgramOptions): Promise<Ended> {
    return new Promise((resolve) => {
      const child = spawn(command, args, {
        env: this.environment(),
        ...(timeoutMs !== undefined && { timeout: timeoutMs, killSignal: 'SIGKILL' as const }),
      })
      let output = ''
      const keep = (chunk: Buffer) => (output += chunk.toString())
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      child.on('error', (error) => resolve({ code: 127, output: String(error) }))
      child.on('close', (code) => resolve({ code: code ?? 1, output }))
      child.stdin.on('error', () => {}).end(input)
    })
  }

  private readonly environment = () => ({ ...process.env, [RUN_VARIABLE]: this.prefix })
}
