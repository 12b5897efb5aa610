import type { NetworkHealthReport } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { batch } from '#db/batch.ts'
import { openPrimary } from '#db/client.ts'
import { within } from '#db/concurrency.ts'
import { NETWORK_SEVERITY } from '#domain/health/severity.ts'
import { logFault } from '#durable/fault-log.ts'
import { isHubName } from '#durable/hubs.ts'
import { type StoredHealth, updateStoredHealth } from '#features/network/sql/health.ts'

/* Writes the health of a network to its rows when it changes, so that lists sort and filter by it in one round trip. */

const RETRY_MS = 30_000
const WRITTEN_KEY = 'severityRows'

type Evaluated = Pick<NetworkHealthReport, 'summary' | 'paths'>

interface HealthRowsDeps {
  readonly ctx: DurableObjectState
  readonly env: Env
  owner(): number | undefined
  /** Called when the alarm has to be set. */
  onFailed(): Promise<void>
}

/** The last written health is stored: a hub after a crash sees if a write is missing. The alarm repeats a failed write. */
export class HealthRows {
  private readonly deps: HealthRowsDeps
  private hasFailed = false

  constructor(deps: HealthRowsDeps) {
    this.deps = deps
  }

  async retry(evaluated: Evaluated | null): Promise<void> {
    if (this.hasFailed && evaluated !== null) await this.write(evaluated)
  }

  dueAt(): number | null {
    return this.hasFailed ? Date.now() + RETRY_MS : null
  }

  /** Takes over what the rows hold: a member that left and came back has lost its mark. */
  wasRead(stored: StoredHealth): void {
    this.deps.ctx.storage.kv.put(WRITTEN_KEY, toText(stored))
  }

  /** Never rejects. A database that is away delays the caller for `HEALTH.answerMs` at most. */
  async write(evaluated: Evaluated): Promise<void> {
    const { ctx, env, owner, onFailed } = this.deps
    const [accountId, hub] = [owner(), ctx.id.name]
    if (accountId === undefined || !isHubName(hub)) return
    const health = toStored(evaluated)
    const text = toText(health)
    if (ctx.storage.kv.get(WRITTEN_KEY) === text) return
    const db = openPrimary(env)
    try {
      await within(HEALTH.answerMs, batch(db, updateStoredHealth(db, accountId, hub, health)))
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
