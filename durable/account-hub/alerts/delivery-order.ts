import { NOTICE_RANK } from '#domain/monitor/lane.ts'

/* Order of the deliveries of one alert to one recipient, in SQL; worker/domain/monitor/lane.ts has the rule. */

const RANKS = Object.entries(NOTICE_RANK).map(([kind, rank]) => `WHEN '${kind}' THEN ${rank}`)

/** Rank among notices of the same time. */
export const rank = (row: 'd' | 'e'): string => `CASE json_extract(${row}.body, '$.kind') ${RANKS.join(' ')} END`

/** Condition: delivery `e` is older than `d`, of the same alert and lane, and meets `condition`. */
export const hasEarlier = (condition: string): string => `(d.alert_id <> '' AND (
  EXISTS (SELECT 1 FROM deliveries e WHERE e.alert_id = d.alert_id AND e.lane = d.lane AND ${condition}
    AND (e.created_at, ${rank('e')}) < (d.created_at, ${rank('d')}))
  OR EXISTS (SELECT 1 FROM digest_alerts g CROSS JOIN deliveries e ON e.id = g.delivery_id
    WHERE g.alert_id = d.alert_id AND e.lane = d.lane AND e.created_at <= d.created_at AND ${condition})))`

/** True if the other side has already taken a later notice of the same alert. */
export function isOutdated(sql: SqlStorage, id: string): boolean {
  const query = `WITH alerts AS (
      SELECT alert_id FROM deliveries WHERE id = ?1 AND alert_id <> ''
      UNION SELECT alert_id FROM digest_alerts WHERE delivery_id = ?1)
    SELECT 1 FROM deliveries d JOIN deliveries e ON e.id = ?1 AND e.lane = d.lane
    WHERE d.state = 'sent' AND (e.created_at, ${rank('e')}) < (d.created_at, ${rank('d')})
      AND (d.alert_id IN alerts OR d.id IN (SELECT delivery_id FROM digest_alerts WHERE alert_id IN alerts)) LIMIT 1`
  return sql.exec(query, id).toArray().length > 0
}
