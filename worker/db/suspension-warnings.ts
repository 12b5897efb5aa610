import { type SQL, sql } from 'drizzle-orm'
import type { OutboxEntry } from '../contract/hubs.ts'
import { type MessageType, NETWORK, NETWORK_STATUS } from '../contract/limits.ts'
import type { Db } from './client.ts'

const DAY_MS = 86_400_000
/** Warnings that one run writes; the next run takes the rest. */
const PORTION = 100

const TYPE: MessageType = '服务'
const TITLE = '组网“{name}”已停用'
const CONTENT =
  '成员配额不足，组网“{name}”已停用。若未恢复，{days}天后将移除设备上的该组网配置，成员之间不再互通，请续费或移除多余成员。'

/**
 * Site messages to accounts whose networks are suspended, once for each of `NETWORK.suspensionWarningDays`: of those that
 * a late run has missed only the last. The accounts' hubs come first, because they are selected by the missing message.
 */
export function insertSuspensionWarnings(db: Db, now: number) {
  const days = JSON.stringify(NETWORK.suspensionWarningDays)
  const isDue = (left: SQL) => sql`n.suspended_at <= ${now} - (${NETWORK.suspensionDays} - ${left}) * ${DAY_MS}`
  const eventId = sql`'suspension:' || n.hub || ':' || n.suspended_at || ':' || d.value`
  const due = sql`(
    select n.account_id, n.name, n.number, d.value as days, ${eventId} as event_id
    from json_each(${days}) d cross join networks n
    where n.status = ${NETWORK_STATUS.overQuota} and n.withdrawn = 0 and ${isDue(sql`d.value`)}
      and not exists (select 1 from json_each(${days}) e where e.value < d.value and ${isDue(sql`e.value`)})
      and not exists (select 1 from messages m where m.event_id = ${eventId})
    order by n.id limit ${PORTION})`
  return {
    hubs: db.all<[OutboxEntry['id'], OutboxEntry['hub']]>(sql`
      insert into hub_outbox (id, kind, hub, op, due_at)
      select lower(hex(randomblob(16))), 'account', hub, 'refresh', ${now}
      from accounts where id in (select account_id from ${due})
      returning id, hub`),
    messages: db.run(sql`
      insert into messages (account_id, event_id, type, title, content, network_number, created_at)
      select account_id, event_id, ${TYPE}, replace(${TITLE}, '{name}', name),
        replace(replace(${CONTENT}, '{days}', days), '{name}', name), number, ${now}
      from ${due} where true on conflict (event_id) do nothing`),
  }
}
