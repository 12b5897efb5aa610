import { type SQL, sql } from 'drizzle-orm'
import type { ServiceKind } from '#contract/account/services.ts'
import type { Db } from '#db/client.ts'
import { insertOutboxFrom } from '#db/hub-outbox.ts'
import type { MessageType } from '#contract/message/limits.ts'

/* Statements of the cron that warns of services before they expire. */

const TYPE: MessageType = '服务'

/** Services that are due for a warning, with the warnings already sent in their term (JSON); at most `limit`. */
export const selectDueServices = (db: Db, now: number, limit: number) =>
  db.all<[id: number, kind: ServiceKind, name: string, startAt: number, expireAt: number, sent: string]>(sql`
    select s.id, s.kind, s.name, s.start_at, s.expire_at,
      (select json_group_array(w.days) from service_warnings w where w.service_id = s.id and w.expire_at = s.expire_at) as sent
    from services s where s.warn_at <= ${now} order by s.warn_at limit ${limit}`)

/** Due warning and next due time of a service, for the term that was read; `days` is null if nothing is due. */
export interface ServiceWarning {
  readonly id: number
  readonly expireAt: number
  readonly days: number | null
  readonly nextAt: number | null
  readonly title: string
  readonly content: string
}

/**
 * Inserts the site messages and records the warnings. A service whose term has changed since it was read waits for the next
 * run. A parallel or repeated run adds nothing.
 */
export function insertServiceWarnings(db: Db, warnings: readonly ServiceWarning[], now: number) {
  const rows = JSON.stringify(warnings)
  const column = (name: keyof ServiceWarning): SQL => sql.raw(`(v.value ->> '${name}')`)
  const term = sql`s.id = ${column('id')} and s.expire_at = ${column('expireAt')}`
  const eventId = sql`'service:' || s.id || ':' || s.expire_at || ':' || ${column('days')}`
  const due = sql`from json_each(${rows}) v cross join services s on ${term} where ${column('days')} is not null
    and not exists (select 1 from service_warnings w
      where w.service_id = s.id and w.expire_at = s.expire_at and w.days = ${column('days')})`
  return {
    hubs: insertOutboxFrom(
      db,
      sql`select 'account' as kind, hub from accounts where id in (select s.account_id ${due})`,
      now,
    ),
    messages: db.run(sql`
      insert into messages (account_id, event_id, type, title, content, created_at)
      select s.account_id, ${eventId}, ${TYPE}, ${column('title')}, ${column('content')}, ${now} ${due}
      on conflict (event_id) do nothing`),
    warnings: db.run(sql`
      insert into service_warnings (service_id, expire_at, days, account_id, at)
      select s.id, s.expire_at, ${column('days')}, s.account_id, ${now} ${due}
      on conflict (service_id, expire_at, days) do nothing`),
    services: db.run(sql`
      update services as s set warn_at = ${column('nextAt')} from json_each(${rows}) v where ${term}`),
  }
}
