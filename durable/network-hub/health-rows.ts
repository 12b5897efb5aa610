import type { HubName, NetworkHealthReport } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { batch } from '#db/batch.ts'
import { openPrimary } from '#db/client.ts'
import { NETWORK_SEVERITY } from '#domain/health/severity.ts'
import { SingleFlight, Throttle } from '#durable/async.ts'
import { logFault } from '#durable/fault-log.ts'
import { type StoredHealth, updateStoredHealth } from '#features/network/sql/health.ts'

/* Writes the health of a network to its rows when it changes, so that lists sort and filter by it in one round trip. */

const RETRY_MS = 30_000
const WRITTEN_KEY = 'healthRows'

type Evaluated = Pick<NetworkHealthReport, 'summary' | 'paths'>

interface HealthRowsDeps {
  readonly ctx: DurableObjectState
  readonly env: Env
  readonly hub: HubName | ''
  owner(): number | undefined
  /** Health evaluated now; null until the rows were read. */
  evaluate(): Evaluated | null
  /** Called when the alarm has to be set. */
  onFailed(): Promise<void>
}

/** The last written health is stored: a hub after a crash sees if a write is missing. The alarm repeats a failed write. */
export class HealthRows {
  private readonly deps: HealthRowsDeps
  private readonly throttle = new Throttle(() => this.start(), HEALTH.rowsMs)
  private readonly flight = new SingleFlight(() => this.write())
  private hasFailed = false

  constructor(deps: HealthRowsDeps) {
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

  /** Takes over what the rows hold: a member that left and came back has lost its mark. */
  wasRead(stored: StoredHealth): void {
    this.deps.ctx.storage.kv.put(WRITTEN_KEY, toText(stored))
  }

  private async write(): Promise<void> {
    const { ctx, env, hub, owner, evaluate, onFailed } = this.deps
    const [accountId, evaluated] = [owner(), evaluate()]
    if (accountId === undefined || evaluated === null || hub === '') return
    const health = toStored(evaluated)
    const text = toText(health)
    if (ctx.storage.kv.get(WRITTEN_KEY) === text) return
    try {
      await batch(openPrimary(env), updateStoredHealth(openPrimary(env), accountId, hub, health))
      this.hasFailed = false
      if (owner() !== undefined) ctx.storage.kv.put(WRITTEN_KEY, text) // a network that was removed meanwhile stores nothing
    } catch (error) {
      if (!this.hasFailed) logFault(hub, 'health rows', error)
      this.hasFailed = true
      await onFailed()
    }
  }
}

const toStored = ({ summary, paths }: Evaluated): StoredHealth => ({
  severity: NETWORK_SEVERITY[summary.health.state],
  singleCenter: Object.keys(paths).filter((name) => paths[name]?.single_center === 1),
})

const toText = ({ severity, singleCenter }: StoredHealth): string => JSON.stringify([severity, singleCenter.toSorted()])
