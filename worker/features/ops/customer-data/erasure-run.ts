import type { HubKind, HubName, Hubs, OutboxEntry } from '#contract/kernel/hubs.ts'
import { HUB_CALL, HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { ERASURE } from '#contract/ops/limits.ts'
import { type AccountTable, PORTIONED_TABLES } from '#db/schema/account-tables.ts'
import type { CronRun } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { within } from '#db/concurrency.ts'
import { deliverOutbox, insertOutboxEntries, selectErasureEntries, toRefreshEntries } from '#db/hub-outbox.ts'
import { objectName } from '#domain/file/upload.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { insertRemovals } from '#features/device/sql.ts'
import type { FileBucket } from '#http/context.ts'
import { randomHex } from '#security/secrets.ts'
import {
  clearDirectoryHub,
  deleteAllRows,
  deleteFiles,
  deleteMissingRows,
  deleteNamed,
  deleteNetworks,
  deletePortionOf,
  deleteRouters,
  finishErasure,
  refreshNodes,
  selectFiles,
  selectNetworks,
  selectRouters,
  updateRowsAt,
} from '../sql/erasures.ts'

/* One call of an erasure: deletes portions of rows, objects and hubs until nothing is left, or its time is over. */

/** Context of an erasure, of the operator's call or of the cron. */
export interface ErasureContext extends CronRun {
  readonly db: Db
  readonly hubs: Hubs
  readonly files: Pick<FileBucket, 'delete'>
}

/** Every step may be repeated, and finds only what is left. */
export class ErasureRun {
  readonly deleted = { rows: 0, files: 0, hubs: 0 }
  private readonly ctx: ErasureContext
  private readonly accountId: number
  private readonly until = Date.now() + ERASURE.callMs

  constructor(ctx: ErasureContext, accountId: number) {
    this.ctx = ctx
    this.accountId = accountId
  }

  /** Deletes portions until no row is left, or the time of the call is over; true if none is left. */
  async deleteRows(): Promise<boolean> {
    const { db } = this.ctx
    await batch(db, deleteNamed(db, this.accountId))
    const { before, after } = PORTIONED_TABLES
    const steps = [
      () => this.repeat(() => this.deleteFiles()),
      () => this.deleteTables(before),
      () => this.repeat(() => this.deleteRouters()),
      () => this.repeat(() => this.deleteNetworks()),
      () => this.deleteTables(after),
    ]
    for (const step of steps) if (!(await step())) return false
    await this.deleteLast()
    return true
  }

  /** Repeats a step while it is full; false if the time is over. */
  private async repeat(step: () => Promise<boolean>): Promise<boolean> {
    while (await step()) if (Date.now() >= this.until) return false
    return true
  }

  /** Tables in their order, some in one batch. One that has more rows than a portion is repeated with those behind it. */
  private async deleteTables(tables: readonly AccountTable[]): Promise<boolean> {
    let at = 0
    return this.repeat(async () => {
      const group = tables.slice(at, at + ERASURE.tables)
      const counts = await this.deletePortions(group)
      const full = counts.indexOf(ERASURE.rows)
      at += full === -1 ? group.length : full
      return at < tables.length
    })
  }

  private async deletePortions(tables: readonly AccountTable[]): Promise<readonly number[]> {
    const { db } = this.ctx
    const statements = tables.map((table) => [table.name, deletePortionOf(db, table, this.accountId, ERASURE.rows)])
    const results = await batch(
      db,
      Object.fromEntries(statements) as Record<string, ReturnType<typeof deletePortionOf>>,
    )
    const counts = tables.map(({ name }) => results[name]?.length ?? 0)
    this.deleted.rows += counts.reduce((sum, count) => sum + count, 0)
    return counts
  }

  /** Objects go first: one without a row would wait for the sweep of the bucket. */
  private async deleteFiles(): Promise<boolean> {
    const { db, files } = this.ctx
    const found = await selectFiles(db, this.accountId, ERASURE.files)
    if (found.length === 0) return false
    await files.delete(found.map(({ key }) => objectName(key)))
    const ids = found.map(({ id }) => id)
    await batch(db, { files: deleteFiles(db, this.accountId, ids) })
    this.deleted.files += found.length
    return found.length === ERASURE.files
  }

  /** Devices get the empty document, or learn of their removal when they connect. */
  private async deleteRouters(): Promise<boolean> {
    const { db, now } = this.ctx
    const found = await selectRouters(db, this.accountId, ERASURE.routers)
    if (found.length === 0) return false
    const ids = found.map(({ id }) => id)
    const entries = toRemovals('router', found)
    await batch(db, {
      removals: insertRemovals(db, this.accountId, ids, now),
      missing: deleteMissingRows(
        db,
        found.flatMap(({ name, hub }) => [name, hub]),
      ),
      ...deleteRouters(db, this.accountId, ids),
      hubs: insertOutboxEntries(db, entries, now, { erasure: this.accountId, requestId: this.ctx.runId }),
    })
    this.deleted.rows += found.length
    await this.deliver(entries)
    return found.length === ERASURE.routers
  }

  /** Nodes that carry a network compile their documents without it. */
  private async deleteNetworks(): Promise<boolean> {
    const { db, now } = this.ctx
    const found = await selectNetworks(db, this.accountId, ERASURE.networks)
    if (found.length === 0) return false
    const ids = found.map(({ id }) => id)
    const entries = toRemovals('network', found)
    const { nodes } = await batch(db, {
      nodes: refreshNodes(db, this.accountId, ids, now),
      missing: deleteMissingRows(
        db,
        found.map(({ hub }) => hub),
      ),
      ...deleteNetworks(db, this.accountId, ids),
      hubs: insertOutboxEntries(db, entries, now, { erasure: this.accountId, requestId: this.ctx.runId }),
    })
    this.deleted.rows += found.length
    await deliverOutbox(db, this.ctx.hubs, toRefreshEntries(nodes), Date.now())
    await this.deliver(entries)
    return found.length === ERASURE.networks
  }

  /** Deletes in one transaction the account and whatever was written meanwhile; foreign keys refuse later rows. */
  private async deleteLast(): Promise<void> {
    const { db, now } = this.ctx
    const hub = await selectAccountHub(db, this.accountId)
    const entries = toRemovals('account', hub)
    await batch(db, {
      ...deleteNamed(db, this.accountId),
      ...deleteAllRows(db, this.accountId),
      missing: deleteMissingRows(
        db,
        hub.map((account) => account.hub),
      ),
      hub: insertOutboxEntries(db, entries, now, { erasure: this.accountId, requestId: this.ctx.runId }),
      erasure: updateRowsAt(db, this.accountId, now),
    })
    this.deleted.rows += 1
  }

  /** Delivers again what hubs have not answered, and the removal of the directory's hub. Answers how many are left. */
  async deleteHubs(directoryHub: HubName | null): Promise<number> {
    const { db } = this.ctx
    const isDirectoryLeft = directoryHub !== null && !(await this.deleteDirectory(directoryHub))
    await this.deliver(await selectErasureEntries(db, this.accountId, ERASURE.hubs))
    const left = await selectErasureEntries(db, this.accountId, ERASURE.hubs)
    const count = left.length + (isDirectoryLeft ? 1 : 0)
    if (count === 0) await batch(db, finishErasure(this.ctx, this.accountId))
    return count
  }

  private async deleteDirectory(hub: HubName): Promise<boolean> {
    const { db, hubs } = this.ctx
    try {
      await within(HUB_CALL.answerMs, hubs.directory(hub).remove())
    } catch {
      return false
    }
    await batch(db, { missing: deleteMissingRows(db, [hub]), hub: clearDirectoryHub(db, this.accountId) })
    this.deleted.hubs += 1
    return true
  }

  private async deliver(entries: readonly OutboxEntry[]): Promise<void> {
    const { db, hubs } = this.ctx
    const failed = await deliverOutbox(db, hubs, entries, Date.now(), { gapMs: HUB_OUTBOX.callGapMs })
    this.deleted.hubs += entries.length - failed
  }
}

const toRemovals = (kind: HubKind, rows: readonly { readonly hub: HubName }[]): OutboxEntry[] =>
  rows.map(({ hub }) => ({ id: randomHex(16), kind, hub, op: 'remove' }))
