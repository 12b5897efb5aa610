import type { HubName, Hubs, OutboxEntry } from '#contract/kernel/hubs.ts'
import { ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import { isLinkIn } from '#domain/network/members/links.ts'
import { SingleFlight, Throttle } from '#durable/async.ts'
import { logFault } from '#durable/fault-log.ts'
import { saveRouter } from './database.ts'
import {
  type ConnectionLog,
  type Outbox,
  enqueue,
  flushWaitMs,
  isDue,
  isLoggedFailure,
  isPending,
  isSaveDue,
  withFailure,
  withNotified,
  withSaved,
} from './state/outbox.ts'
import { presenceView } from './state/presence.ts'
import { documentUnsupported, missingCapabilities, shownConfig } from './state/state-change.ts'
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
  onFlushed(result: { readonly isDeleted: boolean }): Promise<void>
}

export class OutboxFlush {
  private readonly flight = new SingleFlight(() => this.flush())
  private readonly deps: OutboxFlushDeps
  /** Start times of the newest flushes. */
  private started: readonly number[] = []
  private timer: ReturnType<typeof setTimeout> | null = null
  /** Links whose newest report is not sent yet. */
  private readonly reported = new Set<string>()
  private readonly reports = new Throttle(() => this.sendReports(), ROUTER_OUTBOX.linksReportMs)

  constructor(deps: OutboxFlushDeps) {
    this.deps = deps
  }

  /** Beyond the rate a timer flushes the newest state. It keeps the hub awake; after a crash the constructor asks again. */
  async runIfDue(): Promise<void> {
    const now = Date.now()
    if (!isDue(this.deps.state().outbox, now) || this.timer !== null) return
    const waitMs = flushWaitMs(this.started, now)
    if (waitMs <= 0) return this.flight.run()
    this.timer = setTimeout(() => {
      this.timer = null
      this.deps.waitUntil(this.runIfDue())
    }, waitMs)
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
    if (!router || moved.length === 0) return
    waitUntil(reportLinks(hub, hubs, router, moved).catch(() => update((outbox) => enqueue(outbox, {}))))
  }

  private async flush(): Promise<void> {
    const { env, hub, hubs, state, update, withVolumes, deliver, onFlushed } = this.deps
    this.started = [...this.started, Date.now()].slice(-ROUTER_OUTBOX.flushes)
    const entries = await flushOutbox(env, hub, hubs, state(), update, withVolumes)
    deliver(entries ?? [])
    await onFlushed({ isDeleted: entries === null })
  }
}

/**
 * Flushes the outbox: the database first, so that notified hubs read the same state. Returns null if the router's row
 * is deleted, else the hub outbox entries that the save has inserted.
 */
export async function flushOutbox(
  env: Env,
  hub: HubName,
  hubs: Hubs,
  state: RouterState,
  update: (change: (outbox: Outbox) => Outbox) => void,
  withVolumes: OutboxFlushDeps['withVolumes'],
): Promise<readonly OutboxEntry[] | null> {
  const sent = state.outbox
  const now = Date.now()
  const isUnsaved = isSaveDue(sent, now)
  if (!state.router || (!isUnsaved && !isPending(sent))) return [] // the owner is unknown before the first read
  const saved = { ...state, outbox: { ...sent, logs: withVolumes(sent.logs) } }
  const [save] = await Promise.allSettled([isUnsaved ? saveRouter(env, hub, saved, now) : null])
  if (save.status === 'fulfilled') update((outbox) => withSaved(outbox, sent, now))
  if (save.status === 'fulfilled' && save.value?.isDeleted) return null
  const [notify] = await Promise.allSettled([sent.notified < sent.change ? notifyHubs(hub, hubs, state) : undefined])
  if (notify.status === 'fulfilled') update((outbox) => withNotified(outbox, sent))
  const faults = [save, notify].filter((result) => result.status === 'rejected')
  logFaults(hub, faults, sent.failures + 1)
  if (faults.length > 0) update((outbox) => withFailure(outbox, Date.now(), Math.random()))
  return save.status === 'fulfilled' ? (save.value?.entries ?? []) : []
}

function logFaults(hub: HubName, faults: readonly PromiseRejectedResult[], failures: number): void {
  if (!isLoggedFailure(failures)) return
  for (const { reason } of faults) logFault(hub, 'outbox', reason, { failures })
}

/** Sends presence, configuration and links to the account's hub and the hub of every network of this router. */
async function notifyHubs(routerHub: HubName, hubs: Hubs, state: RouterState): Promise<void> {
  const { router, presence, links, outbox } = state
  if (!router) return
  const { routerName, networks } = router
  const change = { routerHub, routerName, presence: presenceView(presence), config: shownConfig(state) }
  const settings = { missing: missingCapabilities(state), unsupported: documentUnsupported(state) }
  await Promise.all([
    hubs
      .account(router.accountHub)
      .routerChanged({ ...change, seenIn: [...router.seenIn], moves: outbox.moves, ...settings }),
    ...networks.map(({ hub }) => hubs.network(hub).memberChanged(change)),
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

const toReport = ({ id, up, rtt_ms }: LinkReport) => ({ id, up, rttMs: rtt_ms })
