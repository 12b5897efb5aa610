import { type SQL, sql } from 'drizzle-orm'
import type { ServiceKind } from '#contract/account/services.ts'
import type { Db } from '#db/client.ts'
import { insertOutboxFrom } from '#db/hub-outbox.ts'
import type { MessageType } from '#contract/message/limits.ts'

const TYPE: MessageType = '服务'

/** Services to look at, with the warnings that were sent of their term (JSON). Each run looks at so many. */
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
 * Site messages with the record of the warnings. A service whose term has moved since it was read is left to the next run; a
 * run beside this one, or one that is repeated, adds nothing.
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
