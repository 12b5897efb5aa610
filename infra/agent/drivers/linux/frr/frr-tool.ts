import * as z from 'zod'
import { type Log, messageOfError } from '#infra/agent/log.ts'
import { type Failure, checkFailure } from '#infra/agent/config/config-machine.ts'
import type { ProcessTable } from '../processes/process-table.ts'
import { toLog } from '../programs.ts'
import type { Tool } from '../tool.ts'
import { joinCommands } from './bgp-delta.ts'
import { CHOSEN_ROUTES, type ChosenRoute, parseChosen } from './chosen-routes.ts'
import type { DaemonPlace } from './daemons.ts'
import { FrrDaemons } from './frr-daemons.ts'
import { type FrrObserved, type FrrStep, type FrrWanted, planFrr, toSettled, toWanted } from './frr-plan.ts'
import { Respawns } from '../processes/respawns.ts'
import { EMPTY_CONFIG, parseBgpConfig } from './running-config.ts'
import { withScratchBgpd } from './scratch-bgpd.ts'
import { configureDaemon, queryDaemon, refusalText } from './vty.ts'

/* Tool FRR: BGP sessions with BFD, over the daemons' own sockets. */

export interface FrrTool extends Tool<FrrWanted, FrrObserved, FrrStep> {
  /** Addresses of the peers with an established session. */
  establishedPeers(): Promise<ReadonlySet<string>>
  /** Rejects if its daemon does not answer. */
  chosenRoutes(): Promise<readonly ChosenRoute[]>
  /** Lets sessions begin anew, without the pause after failed attempts. */
  clearSessions(peers: readonly string[]): Promise<void>
  /** Sets the configuration that a daemon gets again after an exit. `run` does so itself; a start that runs no step does not. */
  supervise(wanted: FrrWanted): void
}

/** Taken off each delay, because sessions end with their daemon: the first restart is at once. */
const AT_ONCE_MS = 1_000

export interface FrrOptions extends Pick<DaemonPlace, 'run'>, Partial<Omit<DaemonPlace, 'run'>> {
  readonly processes: ProcessTable
  readonly log: Log
}

export function frrTool({ run, suffix = '', namespace = () => null, processes, log }: FrrOptions): FrrTool {
  const daemons = new FrrDaemons({ run, suffix, namespace }, processes)
  const respawns = new Respawns()
  let supervised: FrrWanted | null = null
  /** Steps and restarts, one after the other. */
  let tail: Promise<unknown> = Promise.resolve()

  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = tail.then(work, work)
    tail = done.catch(() => {}) // the caller gets it
    return done
  }

  async function converge(): Promise<void> {
    if (supervised === null) return
    for (const step of planFrr(await daemons.observe(), supervised)) await daemons.runStep(step)
  }

  function supervise(wanted: FrrWanted): void {
    supervised = wanted.text === null ? null : wanted
  }

  processes.onExit((name) => {
    if (daemons.find(name) === undefined || supervised === null) return
    const delayMs = respawns.next(name, performance.now())
    if (delayMs === null) return log(`${name} ended too often and stays down until the next document`)
    log(`${name} ended; it is started again`)
    void new Promise((resolve) => setTimeout(resolve, delayMs - AT_ONCE_MS))
      .then(() => inTurn(converge))
      .catch((error: unknown) => log(`cannot start ${name}: ${messageOfError(error)}`))
  })

  async function runStep(step: FrrStep, wanted: FrrWanted): Promise<void> {
    await daemons.runStep(step)
    if (step.phase !== 'join') return
    const [left] = planFrr(await daemons.observe(), wanted)
    if (left) throw new Error(`bgpd runs something else, and needs: ${left.commands.join('; ')}`)
  }

  return {
    name: 'frr',
    wanted: (rendering) => toWanted(rendering, suffix),
    settled: toSettled,
    plan: planFrr,
    observe: () => daemons.observe(),
    async validate(wanted) {
      const isUnchanged = planFrr(await daemons.observe(), wanted).length === 0
      return isUnchanged ? null : validate(wanted, run)
    },
    run(step, wanted) {
      supervise(wanted)
      return inTurn(() => runStep(step, wanted))
    },
    supervise,
    async clearSessions(peers) {
      for (const peer of peers) await daemons.query(`clear bgp ${peer}`)
    },
    establishedPeers: async () =>
      daemons.hasStarted('bgpd') ? parseEstablished(await daemons.query('show bgp summary json')) : new Set(),
    chosenRoutes: async () => (daemons.hasStarted('bgpd') ? parseChosen(await daemons.query(CHOSEN_ROUTES)) : []),
  }
}

/** Loads the configuration into a bgpd of its own, and names the lines that it does not take. */
async function validate({ text, config }: FrrWanted, run: string): Promise<Failure | null> {
  if (text === null) return null
  const refused = await withScratchBgpd(run, async (socket) => {
    const answers = await configureDaemon(socket, joinCommands(EMPTY_CONFIG, config))
    if (answers.length > 0) return refusalText(answers)
    const lacking = joinCommands(parseBgpConfig(await queryDaemon(socket, 'show running-config')), config)
    return lacking.length === 0 ? null : (await findRefused(text, run)) || lacking.join('\n')
  })
  return refused === null ? null : { ...checkFailure('本设备的路由程序不接受配置'), log: toLog(refused) }
}

/** Lines that a bgpd refuses when it gets them one by one, with its reasons. */
const findRefused = (text: string, run: string): Promise<string> =>
  withScratchBgpd(run, async (socket) =>
    refusalText(await configureDaemon(socket, text.split('\n').filter(Boolean), false)),
  )

const summary = z.object({
  ipv4Unicast: z.object({ peers: z.record(z.string(), z.object({ state: z.string() })) }).optional(),
})

/** Peers of `show bgp summary json` whose session is established. */
function parseEstablished(text: string): ReadonlySet<string> {
  const { ipv4Unicast } = summary.parse(JSON.parse(text))
  return new Set(
    Object.entries(ipv4Unicast?.peers ?? {}).flatMap(([address, { state }]) =>
      state === 'Established' ? [address] : [],
    ),
  )
}
