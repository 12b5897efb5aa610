import { type SQL, sql } from 'drizzle-orm'
import { LINK_UNKNOWN } from '#contract/kernel/states.ts'
import type { Db } from '#db/client.ts'

/** A time in which a link was up, as its dialling end saw it. */
export interface LinkRow {
  /** Of the link and its start: the same for each report of it. */
  readonly key: string
  readonly number: string
  readonly server: string
  readonly orig: string
  readonly vpnIp: string
  readonly startAt: number
  readonly endAt: number | null
  readonly reason: string
}

/** Its device alone ends it: sweeps of dials that nobody reports pass it by. */
const NEVER_LOST = Number.MAX_SAFE_INTEGER

/**
 * Statements that save periods of a router, `row` being `from routers where …`: new ones are stored, and what began before one of
 * the same link and is still open is over. Repeated without harm. Of a network that is gone the ends alone are saved.
 */
export function saveLinks(db: Db, row: SQL, rows: readonly LinkRow[]) {
  const sent = sql`json_each(${JSON.stringify(rows)}) d`
  const key = sql`'link:' || own.id || ':' || (d.value ->> 'key')`
  const own = sql`(select id, account_id, name ${row}) own`
  return {
    linksBegun: db.run(sql`
      insert or ignore into dial_logs (account_id, key, mode, network_number, router_name, link_router_name, pop_name, area,
        orig, vpn_ip, reason, start_at, end_at, seen_at, router_id, is_link)
      select own.account_id, ${key}, iif(pm.id is null, 'p2p', 'pop'), n.number, own.name, d.value ->> 'server',
        coalesce(f.name, ''), coalesce(p.name, ''), d.value ->> 'orig', d.value ->> 'vpnIp', d.value ->> 'reason',
        d.value ->> 'startAt', d.value ->> 'endAt', ${NEVER_LOST}, own.id, 1
      from ${sent} join ${own} join networks n on n.number = d.value ->> 'number' and n.account_id = own.account_id
      left join routers server on server.name = d.value ->> 'server'
      left join pop_members pm on pm.network_id = n.id and pm.router_id = server.id
      left join network_fr_areas a on a.id = pm.area_id
      left join network_frs f on f.id = a.fr_id
      left join pops p on p.id = a.pop_id
      where true`),
    linksEnded: db.run(sql`
      update dial_logs set end_at = s.end_at, reason = s.reason
      from (select own.account_id, ${key} as key, d.value ->> 'endAt' as end_at, d.value ->> 'reason' as reason
        from ${sent} join ${own} where d.value ->> 'endAt' is not null) s
      where dial_logs.account_id = s.account_id and dial_logs.key = s.key and dial_logs.end_at is null`),
    linksReplaced: db.run(sql`
      update dial_logs set end_at = s.start_at, reason = ${LINK_UNKNOWN}
      from (select own.id, own.account_id, d.value ->> 'number' as number, d.value ->> 'server' as server,
        d.value ->> 'startAt' as start_at from ${sent} join ${own}) s
      where dial_logs.account_id = s.account_id and dial_logs.router_id = s.id and dial_logs.end_at is null
        and dial_logs.is_link = 1 and dial_logs.network_number = s.number
        and dial_logs.link_router_name = s.server and dial_logs.start_at < s.start_at`),
  }
}
