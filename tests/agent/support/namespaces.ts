import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { RouterDocument } from '#contract/device/document.ts'

/* Network namespaces of a test: nothing of it touches links, routes, rules and tables of the machine. */

/** Names of this run; the kernel lists them for all. */
const PREFIX = `nlx-tools-${process.pid}-`

export interface HostAnswer {
  readonly failure?: { readonly reason: string; readonly log?: string }
  readonly error?: string
  readonly steps?: readonly { readonly tool: string; readonly phase: string; readonly networks: readonly string[] }[]
  /** Tools whose plan is not empty after the steps. */
  readonly unsettled?: readonly string[]
  readonly peers?: readonly string[]
  readonly pids?: Readonly<Record<string, number>>
  readonly problems?: readonly { readonly isFatal: boolean; readonly text: string }[]
}

export class Namespaces {
  private readonly names: string[] = []
  private readonly hosts: ToolHost[] = []

  add(name: string): string {
    const full = `${PREFIX}${name}`
    ip('netns', 'add', full)
    this.names.push(full)
    ip('-n', full, 'link', 'set', 'lo', 'up')
    return full
  }

  /** A veth between two namespaces with an address at either end. */
  connect(
    [a, nameA, addressA]: readonly [string, string, string],
    [b, nameB, addressB]: readonly [string, string, string],
  ): void {
    ip('-n', a, 'link', 'add', nameA, 'type', 'veth', 'peer', 'name', nameB, 'netns', b)
    for (const [space, name, address] of [
      [a, nameA, addressA],
      [b, nameB, addressB],
    ] as const) {
      ip('-n', space, 'addr', 'add', address, 'dev', name)
      ip('-n', space, 'link', 'set', name, 'up')
    }
  }

  /** @param wrapper command that starts the host, such as one that takes privileges away. */
  openHost(space: string, folder: string, wrapper: readonly string[] = []): ToolHost {
    const host = new ToolHost(space, folder, wrapper)
    this.hosts.push(host)
    return host
  }

  /** Ends the processes in the namespaces, and deletes these. */
  remove(): void {
    for (const host of this.hosts) host.kill()
    for (const name of this.names) {
      this.endProcesses(name)
      spawnSync('ip', ['netns', 'del', name])
    }
  }

  endProcesses(name: string): void {
    const { stdout } = spawnSync('ip', ['netns', 'pids', name], { encoding: 'utf8' })
    for (const pid of stdout.split('\n').filter(Boolean)) {
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // it has ended
      }
    }
  }
}

export function ip(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Output of a command inside a namespace; its code may be any. */
export function runInside(space: string, command: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync('ip', ['netns', 'exec', space, command, ...args], { encoding: 'utf8' })
  return `${stdout}${stderr}`
}

/** The tools of the driver in a process of a namespace (tool-host.ts). */
export class ToolHost {
  private readonly child: ChildProcess
  private readonly waiting: ((answer: HostAnswer) => void)[] = []

  constructor(space: string, folder: string, wrapper: readonly string[]) {
    const args = ['netns', 'exec', space, ...wrapper, process.execPath, 'tests/agent/support/tool-host.ts', folder]
    this.child = spawn('ip', args, { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.waiting.shift()?.(JSON.parse(line)))
    this.child.once('exit', (code) => {
      for (const answer of this.waiting.splice(0)) answer({ error: `the host ended with ${code}` })
    })
  }

  ask(question: object): Promise<HostAnswer> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.child.stdin?.write(`${JSON.stringify(question)}\n`)
    })
  }

  apply(document: RouterDocument | null, tools: readonly string[], target: object = {}): Promise<HostAnswer> {
    return this.ask({ document, tools, target })
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }
}
