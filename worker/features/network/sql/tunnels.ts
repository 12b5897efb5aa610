import { sql } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import { TUNNEL_LIST } from '#contract/network/limits.ts'
import type { Db } from '#db/client.ts'

/* SQL of the sessions that software members have in a network, and of the times in which a link was up. */

type SessionRow = [
  key: string,
  name: string,
  note: string,
  server: string,
  serverNote: string,
  remote: string,
  vpnIp: string,
  rx: number,
  tx: number,
  startAt: number,
]

/** Open dials into a network, newest first. A node is shown by its area. */
export const selectOpenDials = (db: Db, { accountId }: Scope, number: string) =>
  db.all<SessionRow>(sql`
    select l.link_router_name || ':' || substr(l.key, instr(l.key, ':') + 1), m.name, m.note, l.link_router_name,
      iif(l.mode = 'pop', l.area, coalesce(s.note, '')), l.orig, l.vpn_ip, l.rx, l.tx, l.start_at
    from dial_logs l join routers m on m.id = l.router_id and m.account_id = l.account_id
    left join routers s on s.id = l.link_id and s.account_id = l.account_id
    where l.account_id = ${accountId} and l.network_number = ${number} and l.is_link = 0 and l.end_at is null
    order by l.start_at desc, l.id desc limit ${TUNNEL_LIST.sessionsMax}`)

interface LinkKey {
  readonly number: string
  readonly client: string
  readonly server: string
}

/** Times in which a link was up since then, newest first, and the last one before; one that goes on has no end. */
export function selectLinkTimes(db: Db, { accountId }: Scope, { number, client, server }: LinkKey, since: number) {
  const ofLink = sql`account_id = ${accountId} and router_name = ${client} and mode in ('p2p', 'pop') and is_link = 1
    and network_number = ${number} and link_router_name = ${server}`
  return db.all<[startAt: number, endAt: number | null, reason: string]>(sql`
    select start_at, end_at, reason from dial_logs
    where ${ofLink} and start_at >= coalesce(
      (select max(start_at) from dial_logs where ${ofLink} and start_at < ${since}), ${since})
    order by start_at desc limit ${TUNNEL_LIST.timesMax}`)
}
