import type { HubName, Hubs, OutboxEntry } from '#contract/kernel/hubs.ts'
import { ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import { isLinkIn } from '#domain/network/members/links.ts'
import { configIn } from '#domain/router/refused-networks.ts'
import { SingleFlight, Throttle } from '#durable/async.ts'
import { leaveToAccount } from '#durable/database-away.ts'
import { saveRouters } from '#features/router/sql/saves.ts'
import { openPrimary } from '#db/client.ts'
import type { ConnectionLog, RouterSave, SaveAnswer } from '#contract/router/saves.ts'
import { currentRequestId, isLoggedFailure, logFault } from '#durable/fault-log.ts'
import { toRouterSave } from './router-save.ts'
import { SharedSaves } from './shared-saves.ts'
import {
  type Outbox,
  type FlushTimes,
  enqueue,
  flushWaitMs,
  isDue,
  isPending,
  isSaveDue,
  isSaveHeld,
  isSharedSave,
  noFlushes,
  withFailure,
  withFlush,
  withHeldSave,
  withNotified,
  withSaved,
  withoutSave,
} from './state/outbox.ts'
import { presenceView } from './state/presence.ts'
import { documentUnsupported, missingCapabilities, shownConfig, tunnelDevice } from './state/state-change.ts'
import type { RouterFacts, RouterState } from './state/storage.ts'

/* Flushes the outbox of one router hub, one flush at a time: first to the database, then to the other hubs. */

interface OutboxFlushDeps {
  readonly env: Env
  readonly hub: HubName
  readonly hubs: Hubs
  waitUntil(work: Promise<unknown>): void
  deliver(entries: readonly OutboxEntry[]): void
  state(): RouterState
  update(change: (outbox: Outbox) => Outbox): void
  /** Adds to lines of the connection log the volumes, which only the hub knows. */
  withVolumes(logs: readonly ConnectionLog[]): readonly ConnectionLog[]
  /** True: nothing is saved or sent, and everything is kept until a read finds the row. */
  isRowMissing(): boolean
  onFlushed(result: { readonly isMissing: boolean }): Promise<void>
}

export class OutboxFlush {
  private readonly flight = new SingleFlight(() => this.flush())
  private readonly deps: OutboxFlushDeps
  private readonly shared: SharedSaves
  private times: FlushTimes = noFlushes
  /** Timer of the next flush, and its time. */
  private next: { readonly at: number; readonly timer: ReturnType<typeof setTimeout> } | null = null
  /** True: the next flush also saves what was left to the account's hub. */
  private isForced = false
  /** Links whose newest report is not sent yet. */
  private readonly reported = new Set<string>()
  private readonly reports = new Throttle(() => this.sendReports(), ROUTER_OUTBOX.linksReportMs)

  constructor(deps: OutboxFlushDeps) {
    this.deps = deps
    this.shared = new SharedSaves(deps.hubs)
  }

  /**
   * Beyond the rate a timer flushes the newest state. It keeps the hub awake; after a crash the constructor asks again. An
   * urgent change replaces a timer that others wait for.
   */
  async runIfDue(): Promise<void> {
    const now = Date.now()
    const { outbox } = this.deps.state()
    if (!isDue(outbox, now) || this.deps.isRowMissing()) return
    const at = now + flushWaitMs(this.times, outbox, now)
    if (this.next !== null && this.next.at <= at) return
    this.cancelNext()
    if (at <= now) return this.flight.run()
    const timer = setTimeout(() => {
      this.next = null
      this.deps.waitUntil(this.runIfDue())
    }, at - now)
    this.next = { at, timer }
  }

  private cancelNext(): void {
    if (this.next !== null) clearTimeout(this.next.timer)
    this.next = null
  }

  report(links: readonly LinkReport[]): void {
    for (const { id } of links) this.reported.add(id)
    this.reports.trigger()
  }

  /** Link reports need no write of their own; if they fail, the next flush sends the links of the whole state. */
  private sendReports(): void {
    const { hub, hubs, state, update, waitUntil } = this.deps
    const { router, links } = state()
    const moved = [...this.reported].flatMap((id) => (links[id] ? [{ id, ...links[id] }] : []))
    this.reported.clear()
    if (!router || moved.length === 0 || this.deps.isRowMissing()) return
    waitUntil(reportLinks(hub, hubs, router, moved).catch(() => update((outbox) => enqueue(outbox, {}))))
  }

  /** Flushes at once, also what was left to the account's hub. */
  async runNow(): Promise<void> {
    this.cancelNext()
    this.isForced = true
    await this.flight.run()
  }

  private async flush(): Promise<void> {
    const { state, onFlushed, isRowMissing } = this.deps
    if (isRowMissing()) return
    this.times = withFlush(this.times, state().outbox, Date.now())
    const isForced = this.isForced
    this.isForced = false
    await onFlushed(await flushOutbox({ ...this.deps, shared: this.shared }, state(), isForced))
  }
}

type FlushDeps = Pick<OutboxFlushDeps, 'env' | 'hub' | 'hubs' | 'deliver' | 'state' | 'update' | 'withVolumes'> & {
  readonly shared: SharedSaves
}

/** Outcome of a save. `held`: it was not tried. */
type Saved = Exclude<SaveAnswer, 'alone'> | 'held' | 'failed'

/**
 * Flushes the outbox: the database first, so that notified hubs read the same state. `isMissing`: the router has no row.
 * `isForced`: also a save that is held.
 */
export async function flushOutbox(
  deps: FlushDeps,
  state: RouterState,
  isForced = false,
): Promise<{ readonly isMissing: boolean }> {
  const { router, outbox: sent } = state
  const now = Date.now()
  const isHeld = !isForced && isSaveHeld(sent, now)
  const isUnsaved = isSaveDue(sent, now) && !isHeld
  if (!router || (!isUnsaved && !isPending(sent))) return FLUSHED // the owner is unknown before the first read
  const saved = isHeld ? 'held' : await trySave(deps, { ...state, router }, isUnsaved, now)
  if (saved === 'missing') return { isMissing: true }
  const isNotified = await tryNotify(deps, state)
  const { update } = deps
  if (saved === 'held') update((outbox) => withoutSave(outbox, sent))
  if (saved === 'left') update((outbox) => withHeldSave(outbox, Date.now(), Math.random()))
  if (saved === 'failed') update((outbox) => ({ ...outbox, saveAt: null }))
  if (saved === 'failed' || !isNotified) update((outbox) => withFailure(outbox, Date.now(), Math.random()))
  return FLUSHED
}

const FLUSHED = { isMissing: false } as const

async function trySave(
  deps: FlushDeps,
  state: RouterState & { readonly router: RouterFacts },
  isUnsaved: boolean,
  now: number,
): Promise<Saved> {
  const { hub, hubs, update, withVolumes } = deps
  const { router, outbox: sent } = state
  try {
    const outbox = { ...sent, logs: withVolumes(sent.logs) }
    const answer = isUnsaved ? await save(deps, { ...state, outbox }, now) : 'saved'
    if (answer === 'saved') update((known) => withSaved(known, sent, now))
    return answer
  } catch (error) {
    logFailure(hub, error, sent.failures + 1)
    return (await leaveToAccount(error, hubs, { kind: 'router', hub }, router.accountHub)) ? 'left' : 'failed'
  }
}

async function save(
  deps: FlushDeps,
  state: RouterState & { readonly router: RouterFacts },
  now: number,
): Promise<Exclude<SaveAnswer, 'alone'>> {
  const { router, outbox } = state
  const row = toRouterSave(deps.hub, state, now)
  const answer = isSharedSave(outbox) ? await deps.shared.save(router.accountHub, row) : 'alone'
  return answer === 'alone' ? saveAlone(deps, row, now) : answer
}

async function saveAlone({ env, hub, deliver }: FlushDeps, row: RouterSave, now: number): Promise<'saved' | 'missing'> {
  const { saved, entries } = await saveRouters(openPrimary(env), [row], now, currentRequestId())
  deliver(entries)
  return saved.has(hub) ? 'saved' : 'missing'
}

/** False if a hub did not take the change. Links are the present ones: reports of them have not waited for the save. */
async function tryNotify(deps: FlushDeps, state: RouterState): Promise<boolean> {
  const { hub, hubs, update } = deps
  const { outbox: sent } = state
  try {
    if (sent.notified < sent.change) await notifyHubs(hub, hubs, { ...state, links: deps.state().links })
    update((outbox) => withNotified(outbox, sent))
    return true
  } catch (error) {
    logFailure(hub, error, sent.failures + 1)
    return false
  }
}

function logFailure(hub: HubName, error: unknown, failures: number): void {
  if (isLoggedFailure(failures)) logFault(hub, 'outbox', error, { failures })
}

/** Sends presence, configuration and links to the account's hub and the hub of every network of this router. */
async function notifyHubs(routerHub: HubName, hubs: Hubs, state: RouterState): Promise<void> {
  const { router, presence, links, outbox, device } = state
  if (!router) return
  const { routerName, networks } = router
  const change = { routerHub, routerName, presence: presenceView(presence), config: shownConfig(state) }
  const settings = { missing: missingCapabilities(state), unsupported: documentUnsupported(state) }
  await Promise.all([
    hubs
      .account(router.accountHub)
      .routerChanged({ ...change, seenIn: [...router.seenIn], moves: outbox.moves, ...settings }),
    ...networks.map(({ hub, number, revision }) =>
      hubs.network(hub).memberChanged({
        ...change,
        config: configIn(number, change.config, state.config.refused),
        ...(device && { remoteHost: device.remoteHost }),
        ...(device?.capabilities && { tunnels: tunnelDevice(device) }),
        ...(revision !== undefined && { compiled: revision }),
      }),
    ),
  ])
  await reportLinks(
    routerHub,
    hubs,
    router,
    Object.entries(links).map(([id, link]) => ({ id, ...link })),
  )
}

async function reportLinks(
  routerHub: HubName,
  hubs: Hubs,
  { routerName, networks }: RouterFacts,
  links: readonly LinkReport[],
): Promise<void> {
  await Promise.all(
    networks.map(async ({ hub, number }) => {
      const own = links.filter((link) => isLinkIn(number, link.id)).map(toReport)
      if (own.length > 0) await hubs.network(hub).linksReported({ routerHub, routerName, links: own })
    }),
  )
}

const toReport = ({ id, up, rtt_ms, tunnel, remote }: LinkReport) => ({
  id,
  up,
  rttMs: rtt_ms,
  ...(tunnel && { tunnel }),
  ...(remote !== undefined && { remote }),
})
