import type {
  AlertChildRow,
  AlertRow,
  AlertAnswer,
  AlertQuestion,
  AlertTask,
  AlertTaskState,
  DeliveryAnswer,
  DeliveryQuestion,
  DeliveryRow,
  UnsentRow,
} from '#contract/monitor/index.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { coversAnyNetwork } from '#contract/kernel/permissions.ts'
import { type Delivery, laneOf } from '#domain/monitor/delivery.ts'
import { type Alert, type Child, isAboutRouter, networkOf } from '#domain/monitor/state.ts'
import { alertTitle } from '#domain/monitor/text.ts'
import { readBodies } from './alert-storage.ts'
import { hasEarlier, isOutdated } from './delivery-order.ts'

/* Lists of an account's alerts and deliveries, limited to the networks that a role sees. */

const CHILDREN_SHOWN = 500
type Networks = readonly string[] | null

/** Rows whose `networks` a role covers; the list is bound as JSON, NULL for a role that covers all. */
const SEEN = `(?1 IS NULL OR EXISTS (SELECT 1 FROM json_each(networks) n WHERE n.value IN (SELECT value FROM json_each(?1))))`
/** An event of one moment ends as it begins. */
const MOMENT = `(ended_at IS NOT NULL AND ended_at = json_extract(body, '$.startedAt'))`
const STATUS = `(?2 = '' OR (?2 = 'open' AND ended_at IS NULL) OR (?2 = 'acknowledged' AND acked = 1)
  OR (?2 = 'recovered' AND ended_at IS NOT NULL AND NOT ${MOMENT}) OR (?2 = 'event' AND ${MOMENT}))`

const toCounts = ({ folded, times = folded }: Alert) => ({ folded, times })

const bindNetworks = (networks: Networks): string | null => networks && JSON.stringify(networks)

interface Filtered extends Pick<AlertQuestion, 'page' | 'limit'> {
  readonly where: string
  readonly values: readonly SqlStorageValue[]
}

export class AlertRecords {
  private readonly sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.sql = sql
  }

  alerts({ networks, status, rule, search, ...portion }: AlertQuestion): AlertAnswer {
    const where = `${SEEN} AND ${STATUS} AND (?3 = '' OR rule = ?3) AND (?4 = '' OR instr(lower(title), lower(?4)) > 0)`
    const values = [bindNetworks(networks), status, rule, search] as const
    const { bodies, count } = this.newest<Alert>('alerts', 'opened_at', { where, values, ...portion })
    return {
      rows: bodies.map((alert) => this.toRow(alert, networks)),
      count,
      open: this.count(`SELECT COUNT(*) AS n FROM alerts WHERE ${SEEN} AND ended_at IS NULL`, bindNetworks(networks)),
    }
  }

  /** A role that is limited to networks gets the number of members that it sees. */
  private toRow(alert: Alert, networks: Networks): AlertRow {
    const { folded, times } =
      networks === null || alert.folded === 0 ? toCounts(alert) : this.countSeen(alert, networks)
    return {
      alert_id: alert.id,
      rule: alert.rule,
      severity: alert.severity,
      title: alertTitle({ ...alert, folded, times }),
      router_name: isAboutRouter(alert) ? alert.object : '',
      network_number: firstSeen(alert.networks, networks),
      ...((isAboutRouter(alert) || networkOf(alert.object) !== null) && { label: alert.label }),
      reason: alert.reason,
      start_time: alert.startedAt,
      end_time: alert.endedAt,
      folded,
      times,
      ack_by: alert.ackBy ?? '',
      ack_time: alert.ackAt,
    }
  }

  private countSeen({ id }: Alert, networks: Networks) {
    const query = `SELECT COUNT(*) AS folded, COALESCE(SUM(COALESCE(json_extract(body, '$.times'), 1)), 0) AS times
      FROM alert_children WHERE alert_id = ?2 AND ${SEEN}`
    return this.sql.exec<{ folded: number; times: number }>(query, bindNetworks(networks), id).one()
  }

  children(alertId: string, networks: Networks): readonly AlertChildRow[] | null {
    if (!this.seenAlert(alertId, networks)) return null
    const found = readBodies<Child>(
      this.sql,
      `SELECT body FROM alert_children WHERE alert_id = ?2 AND ${SEEN} ORDER BY object LIMIT ${CHILDREN_SHOWN}`,
      bindNetworks(networks),
      alertId,
    )
    return found.map(({ rule, object, label, networks: of, startedAt, endedAt, earlier = [], times = 1 }) => ({
      router_name: isAboutRouter({ rule, object }) ? object : '',
      network_number: firstSeen(of, networks),
      label,
      start_time: earlier[0]?.startedAt ?? startedAt,
      end_time: endedAt,
      times,
      absences: [...earlier, { startedAt, endedAt }].map((one) => ({
        start_time: one.startedAt,
        end_time: one.endedAt,
      })),
    }))
  }

  /** @param sendAt time at which the delivery's lane may send it */
  deliveries(question: DeliveryQuestion, sendAt: (one: Delivery) => number): Omit<DeliveryAnswer, 'paused'> {
    const { networks, channel, state, alertId, target = '', ...portion } = question
    const where = `${SEEN} AND (?2 = '' OR channel = ?2) AND (?3 = '' OR state = ?3) AND (?4 = '' OR alert_id = ?4)
      AND (?5 = '' OR lane = ?5)`
    const lane = target === '' ? '' : laneOf({ channel: 'mail', target })
    const values = [bindNetworks(networks), channel, state, alertId, lane] as const
    const { bodies, count } = this.newest<Delivery>('deliveries', 'created_at', { where, values, ...portion })
    const waiting = this.waitingIds(bodies)
    return { rows: bodies.map((one) => toDeliveryRow(one, waiting.has(one.id), sendAt)), count }
  }

  /** Pending deliveries that wait for an earlier notice of their alert. */
  private waitingIds(deliveries: readonly Delivery[]): ReadonlySet<string> {
    const query = `SELECT d.id FROM json_each(?) v CROSS JOIN deliveries d ON d.id = v.value
      WHERE d.state = 'pending' AND ${hasEarlier("e.state = 'pending'")}`
    const ids = JSON.stringify(deliveries.map(({ id }) => id))
    return new Set(
      this.sql
        .exec<{ id: string }>(query, ids)
        .toArray()
        .map(({ id }) => id),
    )
  }

  /** One page of a table, and the number of all rows. `where` names its values ?1, ?2, … */
  private newest<T>(table: string, order: string, { where, values, page, limit }: Filtered) {
    const select = `SELECT body FROM ${table} WHERE ${where} ORDER BY ${order} DESC, id
      LIMIT ?${values.length + 1} OFFSET ?${values.length + 2}`
    return {
      bodies: readBodies<T>(this.sql, select, ...values, limit, (page - 1) * limit),
      count: this.count(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`, ...values),
    }
  }

  /** Alerts that were not sent because the contact may not be written to: their number and newest time by contact. */
  unsent(networks: Networks): readonly UnsentRow[] {
    const rows = this.sql.exec<{ target: string; count: number; last: number }>(
      `SELECT json_extract(body, '$.target') AS target, COUNT(*) AS count, MAX(created_at) AS last
        FROM deliveries WHERE state = 'unsent' AND ${SEEN} GROUP BY lane`,
      bindNetworks(networks),
    )
    return rows.toArray().map(({ target, count, last }) => ({ target, count, last_time: last }))
  }

  taskState({ kind, target, networks }: AlertTask): AlertTaskState {
    if (kind === 'acknowledge') {
      const alert = this.seenAlert(target, networks)
      if (!alert) return 'unknown'
      return alert.endedAt !== null ? 'over' : alert.ackBy === null ? 'open' : 'done'
    }
    const [one] = readBodies<Delivery>(this.sql, 'SELECT body FROM deliveries WHERE id = ?', target)
    if (!one || !isSeen(one.networks, networks)) return 'unknown'
    if (one.state !== 'failed' && one.state !== 'skipped') return 'done'
    return isOutdated(this.sql, target) ? 'over' : 'open'
  }

  private seenAlert(id: string, networks: Networks): Alert | undefined {
    const [alert] = readBodies<Alert>(this.sql, 'SELECT body FROM alerts WHERE id = ?', id)
    return alert && isSeen(alert.networks, networks) ? alert : undefined
  }

  private count(sql: string, ...values: SqlStorageValue[]): number {
    return this.sql.exec<{ n: number }>(sql, ...values).one().n
  }
}

/** First network that the role covers; '' for none. */
const firstSeen = (of: readonly string[], networks: Networks): string =>
  of.find((number) => networks === null || networks.includes(number)) ?? ''

const isSeen = (of: readonly string[], networks: Networks): boolean =>
  coversAnyNetwork({ kind: 'ram', flags: [], networks }, of)

const toDeliveryRow = (one: Delivery, isWaiting: boolean, sendAt: (one: Delivery) => number): DeliveryRow => ({
  delivery_id: one.id,
  alert_id: one.alertId,
  kind: one.kind,
  channel: one.channel,
  target: one.target,
  title: one.title,
  state: one.state,
  code: one.code,
  words: one.words,
  tries: one.tries,
  create_time: one.createdAt,
  done_time: one.doneAt,
  next_time: one.state === 'pending' && !isWaiting ? sendAt(one) : null,
  waits: toWireBoolean(isWaiting),
})
