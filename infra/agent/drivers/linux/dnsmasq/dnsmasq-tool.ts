import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Log, messageOfError } from '#infra/agent/log.ts'
import { type Failure, checkFailure } from '#infra/agent/config/config-machine.ts'
import { type ProcessTable, hashOfText } from '../processes/process-table.ts'
import { requireProgram, runProgram, toLog } from '../programs.ts'
import { Respawns } from '../processes/respawns.ts'
import type { Step, Tool } from '../tool.ts'

/* Tool dnsmasq: resolver for hosts of the LAN, where a network sets DNS. */

const FILE = 'dnsmasq.conf'
const NAME = 'dnsmasq'

/** Rendered configuration; null: no resolver. */
interface DnsmasqWanted {
  readonly text: string | null
}

/** Hash of the configuration that the running process read; null: none runs. */
interface DnsmasqObserved {
  readonly textHash: string | null
}

interface DnsmasqStep extends Step {
  readonly text: string | null
}

export interface DnsmasqTool extends Tool<DnsmasqWanted, DnsmasqObserved, DnsmasqStep> {
  /** Sets the configuration that the resolver gets again after an exit. `run` does so itself; a start that runs no step does not. */
  supervise(wanted: DnsmasqWanted): void
}

export interface DnsmasqOptions {
  /** Folder that only root writes and others may enter. */
  readonly run: string
  readonly processes: ProcessTable
  readonly log: Log
}

const toHash = (text: string | null): string | null => (text === null ? null : hashOfText(text))

function planDnsmasq({ textHash }: DnsmasqObserved, { text }: DnsmasqWanted): readonly DnsmasqStep[] {
  return textHash === toHash(text) ? [] : [{ phase: 'resolve', networks: [], reconnects: [], text }]
}

async function validate({ text }: DnsmasqWanted): Promise<Failure | null> {
  if (text === null) return null
  const { code, stderr } = await runProgram('dnsmasq', ['--test', '--conf-file=-'], { input: text })
  return code === 0 ? null : { ...checkFailure('本设备的域名解析程序不接受配置'), log: toLog(stderr) }
}

export function dnsmasqTool({ run, processes, log }: DnsmasqOptions): DnsmasqTool {
  const file = join(run, FILE)
  const respawns = new Respawns()
  let supervised: string | null = null

  async function replace(text: string | null): Promise<void> {
    await processes.stop(NAME)
    if (text === null) return rm(file, { force: true })
    await writeFile(file, text, { mode: 0o644 })
    const argv = [await requireProgram(NAME), '--keep-in-foreground', `--conf-file=${file}`, '--pid-file']
    await processes.start({ name: NAME, argv, cwd: run, text, log: join(run, 'dnsmasq.log') })
  }

  processes.onExit((name) => {
    if (name !== NAME || supervised === null) return
    const delayMs = respawns.next(name, performance.now())
    if (delayMs === null) return log('dnsmasq ended too often and stays down until the next document')
    log('dnsmasq ended; it is started again')
    setTimeout(() => {
      if (supervised === null || processes.running().has(NAME)) return
      replace(supervised).catch((error: unknown) => log(`cannot start dnsmasq: ${messageOfError(error)}`))
    }, delayMs)
  })

  return {
    name: NAME,
    wanted: (rendering) => ({ text: rendering?.files.get(FILE) ?? null }),
    settled: ({ text }) => ({ textHash: toHash(text) }),
    plan: planDnsmasq,
    validate,
    observe: () => Promise.resolve({ textHash: processes.running().get(NAME)?.textHash ?? null }),
    async run({ text }) {
      supervised = text
      await replace(text)
    },
    supervise({ text }) {
      supervised = text
    },
  }
}
