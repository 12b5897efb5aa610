import type { HubName, Hubs, NetworkHealthReport } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { SingleFlight, Throttle } from '#durable/async.ts'
import { logFault } from '#durable/fault-log.ts'

/* Pushes the health of a network to its account's hub, at most once a second. */

const RETRY_MS = 30_000
const SENT_KEY = 'health'
const ACCOUNT_KEY = 'accountHub'

/** Evaluated health report, before it gets its sequence number. */
type Evaluated = Omit<NetworkHealthReport, 'seq'>

interface HealthPushDeps {
  readonly ctx: DurableObjectState
  readonly hub: HubName
  readonly hubs: Hubs
  /** Health evaluated now; null until the rows were read. */
  evaluate(): Evaluated | null
  /** Writes it to the rows, which pages read as soon as they hear of the push. Never rejects. */
  store(evaluated: Evaluated): Promise<void>
  /** Called when the alarm has to be set. */
  onFailed(): Promise<void>
}

/**
 * The last pushed report is stored, so that a hub after a crash sees if a push is missing. The alarm repeats failed pushes.
 */
export class HealthPush {
  private readonly deps: HealthPushDeps
  private readonly throttle = new Throttle(() => this.start(), HEALTH.pushMs)
  private readonly flight = new SingleFlight(() => this.push())
  private hasFailed = false
  private seq = 0

  constructor(deps: HealthPushDeps) {
    this.deps = deps
  }

  changed(): void {
    this.throttle.trigger()
  }

  start(): void {
    this.deps.ctx.waitUntil(this.flight.run())
  }

  async retry(): Promise<void> {
    if (this.hasFailed) await this.flight.run()
  }

  dueAt(): number | null {
    return this.hasFailed ? Date.now() + RETRY_MS : null
  }

  report(evaluated: Evaluated): NetworkHealthReport {
    this.seq = Math.max(Date.now(), this.seq + 1)
    return { ...evaluated, seq: this.seq }
  }

  accountHub(): HubName | undefined {
    return this.deps.ctx.storage.kv.get<HubName>(ACCOUNT_KEY)
  }

  setAccountHub(hub: HubName): void {
    if (this.accountHub() !== hub) this.deps.ctx.storage.kv.put(ACCOUNT_KEY, hub)
  }

  /** Tells the account's hub that the network is gone. If that fails, the hub keeps the summary until it reads its rows. */
  async end(): Promise<void> {
    const { hub, hubs } = this.deps
    const accountHub = this.accountHub()
    if (accountHub === undefined) return
    await hubs
      .account(accountHub)
      .networkChanged({ hub, report: null })
      .catch((error: unknown) => logFault(hub, 'health', error))
  }

  private async push(): Promise<void> {
    const { ctx, hub, hubs, evaluate, store, onFailed } = this.deps
    const [accountHub, evaluated] = [this.accountHub(), evaluate()]
    if (accountHub === undefined || evaluated === null) return
    await store(evaluated)
    const text = JSON.stringify(evaluated)
    if (ctx.storage.kv.get(SENT_KEY) === text) return
    try {
      await hubs.account(accountHub).networkChanged({ hub, report: this.report(evaluated) })
      this.hasFailed = false
      if (this.accountHub() !== undefined) ctx.storage.kv.put(SENT_KEY, text) // a network that was removed meanwhile stores nothing
    } catch (error) {
      if (!this.hasFailed) logFault(hub, 'health', error)
      this.hasFailed = true
      await onFailed()
    }
  }
}
