import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Input } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { joinCommands } from '#infra/agent/drivers/linux/frr/bgp-delta.ts'
import { vtyPath } from '#infra/agent/drivers/linux/frr/daemons.ts'
import { parseBgpConfig } from '#infra/agent/drivers/linux/frr/running-config.ts'
import { configureDaemon, queryDaemon, refusalText } from '#infra/agent/drivers/linux/frr/vty.ts'
import { installPackages } from '#infra/local/network-tools.ts'
import { isExecutable } from '#infra/local/processes.ts'
import { routerName } from '#infra/lab/bed/plan.ts'
import { SITES } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { poll } from '#infra/lab/poll.ts'
import { watchOutput } from '#infra/lab/software/output.ts'
import { untilReached } from '#tests/lab/basis.ts'
import { untilOfficeWell } from '#tests/lab/unmoved.ts'
import { type Finding, timed } from '../report.ts'
import { handMade } from './bench-lab.ts'
import { runAt } from './by-hand.ts'
import { MOVES, type Rounds } from './rounds.ts'

/*
 * A prefix row that denies the LAN of one point: time from its save until the kernel of another point has no route to that
 * LAN, and time to load it into the bgpd of a centre. The peer loads the same change by frr-reload.py of FRR.
 */

const FRR_RELOAD = '/usr/lib/frr/frr-reload.py'
const [FROM, TO, CENTER] = ['C', 'D', 'A'] as const
const DENIED = SITES[TO].lans[0].segment
const GONE_MS = 20_000
const APPLIED_MS = 20_000
const GONE_BUDGET_S = 1.5
const LOAD_RATIO = 0.2

type Rows = Input<typeof networkApi.editPrefix>['prefix']
const ROWS: Rows = [
  { ip: DENIED.replace('/24', ''), mask: 24, permission: 'deny', name: '拒绝' },
  { ip: '10.0.0.0', mask: 8, ge: 9, le: 32, name: '全部' },
]

/** Installs frr-reload.py; false if it is missing still. */
export async function installFrrReload(): Promise<boolean> {
  if (!isExecutable(FRR_RELOAD)) await installPackages(['frr-pythontools'])
  return isExecutable(FRR_RELOAD)
}

export const benchPrefix = (lab: Lab, rounds: Rounds): Promise<readonly Finding[]> =>
  rounds(async () => {
    const center = new CenterRouting(lab)
    await untilReached(lab.bed, FROM, TO)
    const goneMs = await measureGone(lab)
    const after = await center.untilApplied(true)
    await setRows(lab, [])
    const before = await center.untilApplied(false)
    await untilReached(lab.bed, FROM, TO)
    const { ours, peer } = await whileStopped(lab, () => compareLoads(center, before, after))
    return [
      { what: 'prefix row saved → route gone', value: goneMs / 1000, unit: 's', budget: GONE_BUDGET_S, ...MOVES },
      { what: 'loading the row', value: ours, unit: 'ms' },
      { what: 'loading the row by frr-reload', value: peer, unit: 'ms' },
      { what: 'loading the row, ratio', value: ours / peer, unit: '', budget: LOAD_RATIO, ...MOVES },
    ]
  })

/** Milliseconds to load a change in either way, from the same state. */
async function compareLoads(center: CenterRouting, before: CenterConfig, after: CenterConfig) {
  const ours = await timed(() => center.load(after))
  await center.load(before)
  const peer = await timed(() => center.reload(after))
  await center.requireLoaded(after.text)
  await center.reload(before) // it has given the lists to zebra, too
  await center.requireLoaded(before.text)
  return { ours: ours.ms, peer: peer.ms }
}

/** Stops the agent of the centre for some work: it would take back what it did not load itself. */
async function whileStopped<T>({ agents }: Lab, work: () => Promise<T>): Promise<T> {
  const pid = agents.get(CENTER)?.pid
  if (!pid) throw new Error(`no agent of ${CENTER} runs`)
  process.kill(pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

const setRows = ({ customers: [customer] }: Lab, prefix: Rows) => {
  const { call, network_number } = officeOf(customer)
  return call(networkApi.editPrefix, { network_number, prefix })
}

/** Saves the rows; ms until the route has left the kernel at the other end, by its own notification. */
async function measureGone(lab: Lab): Promise<number> {
  const routes = watchOutput(
    'ip monitor',
    lab.bed.start(routerName(FROM), ['ip', 'monitor', 'route'], { output: 'pipe' }),
  )
  try {
    const savedAt = Date.now()
    await setRows(lab, ROWS)
    return (await routes.until(`Deleted ${DENIED}`, GONE_MS, savedAt)).at - savedAt
  } finally {
    await routes.stop()
  }
}

/** Configuration of a centre as the driver renders it, and as FRR shows it. */
interface CenterConfig {
  readonly text: string
  readonly shown: string
}

/** Routing daemons of the centre, which its agent has started. */
class CenterRouting {
  private readonly lab: Lab
  private readonly run: string
  /** Folder of files for frr-reload.py, which writes nothing elsewhere if the file is the one of this folder. */
  private readonly folder: string

  constructor(lab: Lab) {
    this.lab = lab
    this.run = handMade(lab, CENTER).run
    this.folder = join(lab.folder, 'frr-reload')
    mkdirSync(this.folder, { recursive: true })
    writeFileSync(join(this.folder, 'vtysh.conf'), 'service integrated-vtysh-config\n')
  }

  private async read(): Promise<CenterConfig> {
    return {
      text: handMade(this.lab, CENTER).files.get('frr/bgpd.conf') ?? '',
      shown: await this.vtysh('show running-config no-header'),
    }
  }

  /** Waits until the agent has applied a configuration with or without the row. */
  async untilApplied(hasRow: boolean): Promise<CenterConfig> {
    await poll(
      `${CENTER} has applied the rows`,
      APPLIED_MS,
      async () => {
        const { text } = await this.read()
        return text.includes(`deny ${DENIED}`) === hasRow ? (await this.plan(text)).join('; ') : 'another document'
      },
      (left) => left === '',
    )
    await untilOfficeWell(this.lab)
    return this.read()
  }

  /** Loads a configuration as the driver does: reads what runs, computes commands, runs them, and reads again. */
  async load({ text }: CenterConfig): Promise<void> {
    const refused = await configureDaemon(this.socket, await this.plan(text))
    if (refused.length > 0) throw new Error(refusalText(refused))
    await this.requireLoaded(text)
  }

  /** Loads a configuration by frr-reload.py. */
  async reload({ shown }: CenterConfig): Promise<void> {
    const { folder } = this
    const file = join(folder, 'frr.conf')
    writeFileSync(file, shown)
    const folders = ['--confdir', folder, '--rundir', folder, '--vty_socket', this.sockets]
    await this.at([FRR_RELOAD, '--reload', '--stdout', ...folders, file])
  }

  /** Throws unless bgpd runs a configuration. */
  async requireLoaded(text: string): Promise<void> {
    const left = await this.plan(text)
    if (left.length > 0) throw new Error(`bgpd needs: ${left.join('; ')}`)
  }

  private async plan(text: string): Promise<readonly string[]> {
    return joinCommands(parseBgpConfig(await queryDaemon(this.socket, 'show running-config')), parseBgpConfig(text))
  }

  private get socket(): string {
    return vtyPath(this.run, 'bgpd')
  }

  private get sockets(): string {
    return join(this.run, 'frr')
  }

  private vtysh(command: string): Promise<string> {
    return this.at(['vtysh', '--vty_socket', this.sockets, '--config_dir', this.folder, '-c', command])
  }

  private at(argv: readonly string[]): Promise<string> {
    return runAt(this.lab.bed, routerName(CENTER), argv)
  }
}
