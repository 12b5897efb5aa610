import { sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { Db } from './client.ts'
import { DIAL_ENDED, DIAL_LOST } from '#contract/kernel/states.ts'
import { batch } from './batch.ts'
import { insertPresenceNotices, updateDialPresence } from './dial-presence.ts'
import { toRefreshEntries } from './hub-outbox.ts'

/** A dial as its device reports it, with times by this side's clock. */
export interface DialRow {
  readonly key: string
  readonly number: string
  readonly name: string
  readonly mode: 'p2p' | 'pop'
  readonly remote: string
  /** Null: the device's document does not name this member. */
  readonly vpnIp: string | null
  readonly startAt: number
  readonly endAt: number | null
  readonly rx: number
  readonly tx: number
  readonly reason: string
}

/**
 * Saves dials: those of stored keys are brought up to date, at most `insertMax` new ones are stored. Keys belong to the router, so
 * that none reaches another device's rows, and a repeated report changes nothing. The members' states follow in the same batch.
 * Answers the keys that are stored now, and rows of the hub outbox.
 */
export async function saveDials(db: Db, hub: HubName, rows: readonly DialRow[], insertMax: number, now: number) {
  const sent = sql`json_each(${JSON.stringify(rows)}) d join routers own on own.hub = ${hub}
    join networks n on n.number = d.value ->> 'number'`
  const stored = sql`${sent} join dial_logs l on l.account_id = n.account_id and l.key = own.id || ':' || (d.value ->> 'key')`
  const members = sql`select l.router_id, max(l.end_at) as seen_at from ${stored} group by l.router_id`
  const { updated, inserted, notices } = await batch(db, {
    updated: db.all<[string]>(sql`
      update dial_logs set
        rx = max(dial_logs.rx, s.rx), tx = max(dial_logs.tx, s.tx), seen_at = ${now},
        end_at = case when dial_logs.end_at is null or dial_logs.reason = ${DIAL_LOST} then s.end_at else dial_logs.end_at end,
        reason = case when dial_logs.end_at is null or dial_logs.reason = ${DIAL_LOST} then s.reason else dial_logs.reason end
      from (select n.account_id, own.id || ':' || (d.value ->> 'key') as key, own.name as name,
        d.value ->> 'rx' as rx, d.value ->> 'tx' as tx, d.value ->> 'endAt' as end_at, d.value ->> 'reason' as reason
        from ${sent}) s
      where dial_logs.account_id = s.account_id and dial_logs.key = s.key and dial_logs.link_router_name = s.name
      returning substr(dial_logs.key, instr(dial_logs.key, ':') + 1)`),
    // Of a node the name of its area; a centre has none.
    inserted: db.all<[string]>(sql`
      insert or ignore into dial_logs (account_id, key, mode, network_number, router_name, link_router_name, pop_name, area,
        orig, vpn_ip, rx, tx, reason, start_at, end_at, seen_at, router_id, link_id)
      select n.account_id, own.id || ':' || (d.value ->> 'key'), d.value ->> 'mode', n.number, member.name, own.name,
        coalesce(f.name, ''), coalesce(p.name, ''), d.value ->> 'remote', d.value ->> 'vpnIp', d.value ->> 'rx',
        d.value ->> 'tx', d.value ->> 'reason', d.value ->> 'startAt', d.value ->> 'endAt', ${now}, member.id, own.id
      from ${sent}
      join routers member on member.account_id = n.account_id and member.name = d.value ->> 'name'
      left join pop_members pm on pm.network_id = n.id and pm.router_id = own.id
      left join network_fr_areas a on a.id = pm.area_id
      left join network_frs f on f.id = a.fr_id
      left join pops p on p.id = a.pop_id
      where d.value ->> 'vpnIp' is not null and (n.account_id = own.account_id or pm.id is not null)
        and not exists (select 1 from dial_logs l where l.account_id = n.account_id and l.key = own.id || ':' || (d.value ->> 'key'))
      order by d.key limit ${insertMax}
      returning substr(key, instr(key, ':') + 1)`),
    presence: updateDialPresence(db, { members, reason: DIAL_ENDED }, now),
    notices: insertPresenceNotices(db, members, now),
  })
  return {
    updated: updated.map(([key]) => key),
    inserted: inserted.map(([key]) => key),
    notices: toRefreshEntries(notices),
  }
}
