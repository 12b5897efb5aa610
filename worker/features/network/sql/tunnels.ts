import { sql } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import { TUNNEL_LIST } from '#contract/network/limits.ts'
import type { Db } from '#db/client.ts'

/* SQL of the sessions that software members have in a network. */

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
