import { ALERT, type AlertChannel, type BucketKind } from '#contract/monitor/alert.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { type Delivery, laneOf } from '#domain/monitor/delivery.ts'
import { type Lane, newLane } from '#domain/monitor/lane.ts'
import {
  type Alert,
  type AlertState,
  type Change,
  type Child,
  type Pending,
  emptyAlerts,
  keyOf,
  returnedKey,
  applyChange,
} from '#domain/monitor/state.ts'
import { alertTitle } from '#domain/monitor/text.ts'
import type { MonitorRead } from './alert-rows.ts'
import { hasEarlier, isOutdated, rank } from './delivery-order.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Storage of alerts, pending conditions, deliveries and lanes of an account in the SQLite of its hub, and its pruning. */

type Storage = Pick<DurableObjectStorage, 'sql' | 'kv' | 'transactionSync'>

/** Rows of a query that selects their JSON. */
export const readBodies = <T>(sql: SqlStorage, query: string, ...values: readonly SqlStorageValue[]): T[] =>
  sql
    .exec<{ body: string }>(query, ...values)
    .toArray()
    .map(({ body }) => JSON.parse(body) as T)

const SETTINGS_KEY = 'monitor'
const KEPT_MS = ALERT.keptDays * DAY_MS
const PRUNE_MS = 3_600_000
/** Rows of each kind that one run may delete. */
const PRUNED = 1_000

export class AlertStorage {
  state: AlertState
  private readonly storage: Storage
  private prunedAt = 0

  constructor(storage: Storage) {
    this.storage = storage
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS alerts (
        id TEXT PRIMARY KEY, rule TEXT NOT NULL, opened_at INTEGER NOT NULL, ended_at INTEGER, acked INTEGER NOT NULL,
        title TEXT NOT NULL, networks TEXT NOT NULL, body TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS alerts_by_time ON alerts (opened_at DESC);
      CREATE TABLE IF NOT EXISTS alert_children (
        alert_id TEXT NOT NULL, object TEXT NOT NULL, ended_at INTEGER, networks TEXT NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (alert_id, object)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS alert_pending (key TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS deliveries (
        id TEXT PRIMARY KEY, lane TEXT NOT NULL, channel TEXT NOT NULL, state TEXT NOT NULL, next_at INTEGER NOT NULL,
        created_at INTEGER NOT NULL, alert_id TEXT NOT NULL, networks TEXT NOT NULL, body TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS deliveries_by_time ON deliveries (created_at DESC);
      CREATE INDEX IF NOT EXISTS deliveries_waiting ON deliveries (lane, next_at) WHERE state = 'pending';
      CREATE INDEX IF NOT EXISTS deliveries_unsent ON deliveries (lane) WHERE state = 'unsent';
      CREATE INDEX IF NOT EXISTS deliveries_of_alert ON deliveries (alert_id, lane, created_at);
      CREATE TABLE IF NOT EXISTS digest_alerts (
        alert_id TEXT NOT NULL, delivery_id TEXT NOT NULL, PRIMARY KEY (alert_id, delivery_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS digest_alerts_of_delivery ON digest_alerts (delivery_id);
      CREATE TABLE IF NOT EXISTS lanes (name TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;`)
    this.state = this.load()
  }

  private load(): AlertState {
    const alerts = this.read<Alert>('SELECT body FROM alerts WHERE ended_at IS NULL')
    const children = this.read<Child>(
      'SELECT c.body FROM alert_children c JOIN alerts a ON a.id = c.alert_id WHERE a.ended_at IS NULL',
    )
    const isAway = ({ endedAt }: Child) => endedAt === null
    const pending = this.read<Pending>('SELECT body FROM alert_pending')
    return {
      ...emptyAlerts,
      alerts: new Map(alerts.map((one) => [one.id, one])),
      children: new Map(children.filter(isAway).map((one) => [keyOf(one), one])),
      returned: new Map(
        children.filter((one) => !isAway(one)).map((one) => [returnedKey(one.alertId, keyOf(one)), one]),
      ),
      pending: new Map(pending.map((one) => [keyOf(one), one])),
    }
  }

  private read<T>(query: string, ...values: SqlStorageValue[]): T[] {
    return readBodies<T>(this.storage.sql, query, ...values)
  }

  /** Transaction, all or nothing; the state in memory follows the rows. */
  transaction(work: () => void): void {
    this.storage.transactionSync(work)
  }

  settings(): MonitorRead | undefined {
    return this.storage.kv.get<MonitorRead>(SETTINGS_KEY)
  }

  saveSettings(read: MonitorRead): void {
    if (!isSameJson(this.settings(), read)) this.storage.kv.put(SETTINGS_KEY, read)
  }

  /** A step's change and the deliveries that it makes, in one transaction. */
  save(change: Change, deliveries: readonly Delivery[]): void {
    const { sql } = this.storage
    this.transaction(() => {
      for (const [key, one] of change.pending) {
        if (one === null) sql.exec('DELETE FROM alert_pending WHERE key = ?', key)
        else sql.exec('INSERT OR REPLACE INTO alert_pending (key, body) VALUES (?, ?)', key, JSON.stringify(one))
      }
      for (const alert of change.alerts.values()) this.putAlert(alert)
      for (const child of change.children.values())
        sql.exec(
          'INSERT OR REPLACE INTO alert_children (alert_id, object, ended_at, networks, body) VALUES (?, ?, ?, ?, ?)',
          child.alertId,
          child.object,
          child.endedAt,
          JSON.stringify(child.networks),
          JSON.stringify(child),
        )
      for (const one of deliveries) this.putDelivery(one)
    })
    this.state = applyChange(this.state, change)
  }

  private putAlert(alert: Alert): void {
    this.storage.sql.exec(
      `INSERT OR REPLACE INTO alerts (id, rule, opened_at, ended_at, acked, title, networks, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      alert.id,
      alert.rule,
      alert.openedAt,
      alert.endedAt,
      alert.ackBy === null ? 0 : 1,
      `${alertTitle(alert)} ${alert.object}`,
      JSON.stringify(alert.networks),
      JSON.stringify(alert),
    )
  }

  putDelivery(one: Delivery): void {
    this.storage.sql.exec(
      `INSERT OR REPLACE INTO deliveries (id, lane, channel, state, next_at, created_at, alert_id, networks, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      one.id,
      laneOf(one),
      one.channel,
      one.state,
      one.nextAt,
      one.createdAt,
      one.alertId,
      JSON.stringify(one.networks),
      JSON.stringify(one),
    )
    for (const { alertId } of one.covers ?? [])
      this.storage.sql.exec(
        'INSERT OR IGNORE INTO digest_alerts (alert_id, delivery_id) VALUES (?, ?)',
        alertId,
        one.id,
      )
  }

  delivery(id: string): Delivery | undefined {
    return this.read<Delivery>('SELECT body FROM deliveries WHERE id = ?', id)[0]
  }

  /** Lanes with something to send, and the earliest time of what waits for no earlier notice of its alert. */
  waitingLanes(): readonly { readonly lane: string; readonly nextAt: number }[] {
    const query = `SELECT lane, MIN(next_at) AS nextAt FROM deliveries d
      WHERE state = 'pending' AND NOT ${hasEarlier("e.state = 'pending'")} GROUP BY lane`
    return this.storage.sql.exec<{ lane: string; nextAt: number }>(query).toArray()
  }

  /** Due deliveries, oldest first; those that wait for the next try of an earlier notice would fill the portion. */
  waiting(lane: string, now: number, limit: number): readonly Delivery[] {
    return this.read(
      `SELECT body FROM deliveries d WHERE state = 'pending' AND lane = ?1 AND next_at <= ?2
        AND NOT ${hasEarlier("e.state = 'pending' AND e.next_at > ?2")} ORDER BY created_at, ${rank('d')} LIMIT ?3`,
      lane,
      now,
      limit,
    )
  }

  /** True if the other side has already taken a later notice of the same alert. */
  isOutdated(id: string): boolean {
    return isOutdated(this.storage.sql, id)
  }

  /** Skipped ends of alerts whose beginning the other side has taken. */
  skippedEnds(lane: string): readonly Delivery[] {
    return this.read<Delivery>(
      `SELECT body FROM deliveries d WHERE lane = ?1 AND state = 'skipped' AND json_extract(body, '$.kind') = 'recovery'
        AND ${hasEarlier("e.state = 'sent'")} LIMIT 500`,
      lane,
    )
  }

  lane(name: string, kind: BucketKind, now: number): Lane {
    return this.read<Lane>('SELECT body FROM lanes WHERE name = ?', name)[0] ?? newLane(kind, now)
  }

  saveLane(name: string, lane: Lane): void {
    this.storage.sql.exec('INSERT OR REPLACE INTO lanes (name, body) VALUES (?, ?)', name, JSON.stringify(lane))
  }

  /** Lanes of mail and webhook whose last message was not taken. */
  failingLanes(): readonly { readonly name: string; readonly since: number; readonly words: string }[] {
    const rows = this.storage.sql
      .exec<{ name: string; body: string }>("SELECT name, body FROM lanes WHERE name <> 'site'")
      .toArray()
    return rows.flatMap(({ name, body }) => {
      const { trouble } = JSON.parse(body) as Lane
      return trouble ? [{ name, ...trouble }] : []
    })
  }

  /** Number of paused lanes of a channel; '' counts those of all channels. */
  pausedLanes(channel: AlertChannel | ''): number {
    const lanes = this.read<Lane>("SELECT body FROM lanes WHERE ?1 = '' OR name = ?1 OR name LIKE ?1 || ' %'", channel)
    return lanes.filter(({ pausedAt }) => pausedAt !== null).length
  }

  /** Next time at which `prune` has something to do, at most once a day; null while nothing is kept. */
  pruneDueAt(): number | null {
    const { at } = this.storage.sql
      .exec<{ at: number | null }>(
        `SELECT min(at) AS at FROM (SELECT min(opened_at) AS at FROM alerts WHERE ended_at IS NOT NULL
          UNION ALL SELECT min(created_at) FROM deliveries WHERE state <> 'pending')`,
      )
      .one()
    return at === null ? null : Math.max(at + KEPT_MS + DAY_MS, this.prunedAt + PRUNE_MS)
  }

  /** Deletes rows that are old enough, at most once an hour. While more is left, the next portion follows at once. */
  prune(now: number): void {
    if (now - this.prunedAt < PRUNE_MS) return
    const before = now - KEPT_MS
    const { sql } = this.storage
    const old = `SELECT id FROM alerts WHERE opened_at < ?1 AND ended_at IS NOT NULL ORDER BY opened_at LIMIT ${PRUNED}`
    const oldDeliveries = `SELECT id FROM deliveries WHERE created_at < ?1 AND state <> 'pending'
      ORDER BY created_at LIMIT ${PRUNED}`
    const deleted = [
      sql.exec(
        `DELETE FROM alert_children WHERE (alert_id, object) IN
          (SELECT alert_id, object FROM alert_children WHERE alert_id IN (${old}) LIMIT ${PRUNED})`,
        before,
      ),
      sql.exec(
        `DELETE FROM alerts WHERE id IN (${old}) AND NOT EXISTS (SELECT 1 FROM alert_children WHERE alert_id = alerts.id)`,
        before,
      ),
      sql.exec(`DELETE FROM digest_alerts WHERE delivery_id IN (${oldDeliveries})`, before),
      sql.exec(`DELETE FROM deliveries WHERE id IN (${oldDeliveries})`, before),
    ]
    if (deleted.every(({ rowsWritten }) => rowsWritten === 0)) this.prunedAt = now
  }
}
