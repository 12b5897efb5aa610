import { readlinkSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessTable } from '../processes/process-table.ts'
import { type Runner, requireProgram, runnerIn } from '../programs.ts'

/*
 * Network namespace of one network of a node. A process that does nothing holds it: a name in /run/netns would be lost with
 * the agent, because a unit with ProtectSystem has mounts of its own.
 */

interface NamespacePorts {
  /** Number of the network on this node. */
  readonly slot: number
  /** Folder of the network that only root writes. */
  readonly run: string
  readonly processes: ProcessTable
}

const READY_MS = 5_000
const POLL_MS = 10

export class NetworkNamespace {
  /** Programs in the namespace; each run fails while there is none. */
  readonly runner: Runner = runnerIn(() => this.requireFile())
  private readonly ports: NamespacePorts

  constructor(ports: NamespacePorts) {
    this.ports = ports
  }

  /** Name of the process that holds it. */
  get holder(): string {
    return `place-${this.ports.slot}`
  }

  /** Its file; null while there is none. A holder that has just begun is still in the namespace of this process. */
  get file(): string | null {
    const running = this.ports.processes.running().get(this.holder)
    if (running === undefined) return null
    const file = fileOf(running.pid)
    const own = identityOf(file)
    return own === null || own === identityOf(fileOf('self')) ? null : file
  }

  /** Identity that no other namespace has; null while there is none. */
  get identity(): string | null {
    return this.file === null ? null : identityOf(this.file)
  }

  requireFile(): string {
    const { file } = this
    if (file === null) throw new Error(`network ${this.ports.slot} of this node has no namespace`)
    return file
  }

  /** Makes it anew, after all processes of an earlier one have ended. */
  async make(): Promise<void> {
    const { slot, run, processes } = this.ports
    const isOwn = (name: string) => new RegExp(`^(?:ov${slot}[rscx]\\d*|[a-z]+-${slot})$`).test(name)
    for (const name of processes.running().keys()) if (isOwn(name)) await processes.stop(name)
    await mkdir(run, { recursive: true, mode: 0o711 })
    const watched = join(run, 'place')
    await writeFile(watched, '')
    const [unshare, tail] = await Promise.all([requireProgram('unshare'), requireProgram('tail')])
    const argv = [tail, '-f', watched]
    const launcher = [unshare, '--net', '--']
    await processes.start({ name: this.holder, argv, launcher, cwd: run, text: argv.join('\n'), log: null })
    const until = performance.now() + READY_MS
    while (this.file === null) {
      if (performance.now() > until || !processes.running().has(this.holder))
        throw new Error('this machine makes no network namespace')
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  /** Ends its holder. The kernel removes it with its last process. */
  release(): Promise<void> {
    return this.ports.processes.stop(this.holder)
  }
}

const fileOf = (pid: number | 'self'): string => `/proc/${pid}/ns/net`

function identityOf(file: string): string | null {
  try {
    return readlinkSync(file)
  } catch {
    return null
  }
}
