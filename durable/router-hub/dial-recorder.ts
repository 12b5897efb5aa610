import type { PastDial } from '#contract/local/history.ts'
import { DIAL } from '#contract/kernel/hub-limits.ts'
import type { HubName, OutboxEntry } from '#contract/kernel/hubs.ts'
import type { DialReport, HubFrame } from '#contract/kernel/protocol.ts'
import { DIAL_ENDED } from '#contract/kernel/states.ts'
import { openPrimary } from '#db/client.ts'
import { SingleFlight, Throttle } from '#durable/async.ts'
import { logFault } from '#durable/fault-log.ts'
import { type DialRow, saveDials } from '#features/router/sql/dials.ts'
import { endUnreportedDials } from './database.ts'
import { type RouterState, loadDocument } from './state/storage.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'

/* Records the dials into a device that it reports: saves them at most once a second, then acknowledges them. */

interface DialRecorderDeps {
  readonly env: Env
  readonly hub: HubName
  readonly storage: DurableObjectStorage
  state(): RouterState
  send(frame: HubFrame): void
  deliver(entries: readonly OutboxEntry[]): void
  waitUntil(work: Promise<unknown>): void
}

/** New dials that were recorded in an hour since 1970. */
interface DialBudget {
  readonly hour: number
  readonly count: number
}
const BUDGET_KEY = 'dials'

/** Deadline after a device connected `since`: dials that it has not reported again by then are over. */
interface DialResume {
  readonly since: number
  readonly dueAt: number
}
const RESUME_KEY = 'dial_resume'

interface Callers {
  /** Hash of the document that lists the callers. */
  readonly hash: string
  readonly count: number
  /** Inside addresses by network and name. */
  readonly byNetwork: ReadonlyMap<string, { readonly mode: 'p2p' | 'pop'; readonly ips: ReadonlyMap<string, string> }>
}

/** The recorder stores no reports: those that a crash or a failed write loses are not acknowledged, and come again. */
export class DialRecorder {
  private readonly deps: DialRecorderDeps
  private pending = new Map<string, DialRow>()
  private callers: Callers | null = null
  private resume: DialResume | null
  private readonly flight = new SingleFlight(() => this.save())
  private readonly saves = new Throttle(() => this.deps.waitUntil(this.flight.run()), DIAL.saveMs)

  constructor(deps: DialRecorderDeps) {
    this.deps = deps
    this.resume = deps.storage.kv.get<DialResume>(RESUME_KEY) ?? null
  }

  /** Reads the storage anew, after it was emptied or came from another hub. */
  reset(): void {
    this.resume = this.deps.storage.kv.get<DialResume>(RESUME_KEY) ?? null
  }

  /**
   * A device reports its open dials on each connection. Other dials have ended with its service, even if it was away for
   * less than the grace of its presence.
   */
  connected(now: number): void {
    const { count } = this.knownCallers()
    if (count === 0) return
    const waitMs = count > DIAL.keptMax ? 2 * DIAL.updateMs : DIAL.resumeMs
    this.resume = { since: now, dueAt: now + waitMs }
    this.deps.storage.kv.put(RESUME_KEY, this.resume)
  }

  dueAt(): number | null {
    return this.resume?.dueAt ?? null
  }

  /** Ends unreported dials of a connected device. Those of others end with its presence or wait for its connection. */
  async endUnreported(isOnline: boolean, now: number): Promise<void> {
    const { env, hub, storage, deliver } = this.deps
    const { resume } = this
    if (!resume || resume.dueAt > now) return
    this.resume = null
    storage.kv.delete(RESUME_KEY)
    if (!isOnline) return
    try {
      deliver(await endUnreportedDials(env, hub, resume.since, now))
    } catch (error) {
      logFault(hub, 'dials', error)
      this.resume ??= { ...resume, dueAt: now + DIAL.retryMs }
      storage.kv.put(RESUME_KEY, this.resume)
    }
  }

  add(reports: readonly DialReport[], now: number): void {
    const { byNetwork } = this.knownCallers()
    for (const { key, network_number, name, remote, began_ms, ended_ms, rx, tx, reason = '' } of reports) {
      if (this.pending.size >= DIAL.keptMax && !this.pending.has(key)) break // the device sends the rest again
      const network = byNetwork.get(network_number)
      const vpnIp = network?.ips.get(name.toLowerCase()) ?? null
      const startAt = ageToTime(now, began_ms)
      const endAt = ended_ms === null ? null : Math.max(startAt, ageToTime(now, ended_ms))
      const mode = network?.mode ?? 'p2p'
      this.pending.set(key, { key, number: network_number, name, mode, remote, vpnIp, startAt, endAt, rx, tx, reason })
    }
    this.saves.trigger()
  }

  /** Saves dials of the past, which no device reports. */
  async importHistory(dials: readonly PastDial[], now: number): Promise<void> {
    const { byNetwork } = this.knownCallers()
    const rows = dials.map(
      ({ key, network_number: number, name, remote, start_at: startAt, end_at: endAt, rx, tx }) => {
        const network = byNetwork.get(number)
        const vpnIp = network?.ips.get(name.toLowerCase()) ?? null
        const mode = network?.mode ?? 'p2p'
        return { key, number, name, mode, remote, vpnIp, startAt, endAt, rx, tx, reason: DIAL_ENDED }
      },
    )
    const { env, hub } = this.deps
    if (rows.length > 0) await saveDials(openPrimary(env), hub, rows, rows.length, now)
  }

  private async save(): Promise<void> {
    const { env, hub, storage, state, send, deliver } = this.deps
    const rows = [...this.pending.values()]
    this.pending = new Map()
    const { router } = state()
    if (!router || rows.length === 0) return
    const now = Date.now()
    const hour = Math.floor(now / HOUR_MS)
    const known = storage.kv.get<DialBudget>(BUDGET_KEY)
    const budget = known?.hour === hour ? known : { hour, count: 0 }
    const newPerHour = Math.max(DIAL.newPerHour, DIAL.newPerAccountHour * this.knownCallers().count)
    const insertMax = Math.max(0, newPerHour - budget.count)
    try {
      const { updated, inserted, notices } = await saveDials(openPrimary(env), hub, rows, insertMax, now)
      if (inserted.length > 0) storage.kv.put(BUDGET_KEY, { ...budget, count: budget.count + inserted.length })
      const foreign = rows.filter(({ vpnIp }) => vpnIp === null).map(({ key }) => key)
      const keys = [...new Set([...updated, ...inserted, ...foreign])]
      if (keys.length > 0) send({ t: 'dial_ack', keys })
      deliver(notices)
    } catch (error) {
      logFault(hub, 'dials', error)
    }
  }

  /** Callers that may dial in, from the document that this device has or will get. */
  private knownCallers(): Callers {
    const { hash } = this.deps.state().config
    if (this.callers?.hash === hash) return this.callers
    const networks = loadDocument(this.deps.storage)?.networks ?? []
    const byNetwork = new Map(
      networks.map(({ network_number, member_type, servers = [] }) => {
        const accounts = servers.flatMap((server) => server.accounts)
        const ips = new Map(accounts.map(({ name, ip }) => [name.toLowerCase(), ip]))
        return [network_number, { mode: member_type === 'pop' ? 'pop' : 'p2p', ips }] as const
      }),
    )
    const count = [...byNetwork.values()].reduce((sum, { ips }) => sum + ips.size, 0)
    return (this.callers = { hash, count, byNetwork })
  }
}

/** Time of a report of that age, at most as long ago as records are kept, whatever a device claims. */
const ageToTime = (now: number, ageMs: number): number => Math.round(now - Math.min(ageMs, OLDEST_MS))
const OLDEST_MS = 30 * 24 * HOUR_MS
