import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { insertOutboxFrom } from '#db/hub-outbox.ts'
import type { MessageType } from '#contract/message/limits.ts'
import { NETWORK, NETWORK_STATUS } from '#contract/network/limits.ts'

const DAY_MS = 86_400_000
/** Warnings that one run writes; the next run takes the rest. */
const PORTION = 100

const TYPE: MessageType = '服务'

const eventId = (days: SQL) => sql`'suspension:' || n.hub || ':' || n.suspended_at || ':' || ${days}`
const isSuspended = sql`n.status = ${NETWORK_STATUS.overQuota} and n.withdrawn = 0`
const isNew = (event: SQL) => sql`not exists (select 1 from messages m where m.event_id = ${event})`

/**
 * Suspended networks of which a warning is due: one for each of `NETWORK.suspensionWarningDays`, of those that a late run has
 * missed only the last.
 */
export function selectDueSuspensions(db: Db, now: number) {
  const days = JSON.stringify(NETWORK.suspensionWarningDays)
  const isDue = (left: SQL) => sql`n.suspended_at <= ${now} - (${NETWORK.suspensionDays} - ${left}) * ${DAY_MS}`
  return db.all<[id: number, suspendedAt: number, name: string, days: number]>(sql`
    select n.id, n.suspended_at, n.name, d.value as days
    from json_each(${days}) d cross join networks n
    where ${isSuspended} and ${isDue(sql`d.value`)}
      and not exists (select 1 from json_each(${days}) e where e.value < d.value and ${isDue(sql`e.value`)})
      and ${isNew(eventId(sql`d.value`))}
    order by n.id limit ${PORTION}`)
}

/** A warning about a network whose suspension stands as it was read. */
export interface SuspensionWarning {
  readonly id: number
  readonly suspendedAt: number
  readonly days: number
  readonly title: string
  readonly content: string
}

/** Site messages. The accounts' hubs come first, because they are selected by the missing message. */
export function insertSuspensionWarnings(db: Db, warnings: readonly SuspensionWarning[], now: number) {
  const column = (name: keyof SuspensionWarning): SQL => sql.raw(`(v.value ->> '${name}')`)
  const event = eventId(column('days'))
  const due = sql`from json_each(${JSON.stringify(warnings)}) v cross join networks n
    on n.id = ${column('id')} and n.suspended_at = ${column('suspendedAt')} where ${isSuspended} and ${isNew(event)}`
  return {
    hubs: insertOutboxFrom(
      db,
      sql`select 'account' as kind, hub from accounts where id in (select n.account_id ${due})`,
      now,
    ),
    messages: db.run(sql`
      insert into messages (account_id, event_id, type, title, content, network_number, created_at)
      select n.account_id, ${event}, ${TYPE}, ${column('title')}, ${column('content')}, n.number, ${now}
      ${due} on conflict (event_id) do nothing`),
  }
}
