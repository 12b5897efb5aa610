import { type Column, type SQL, getTableName, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { dateText } from '#contract/kernel/time.ts'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { auditLogs, ramAccounts, ramRoles } from '#db/schema/accounts.ts'
import { authSources } from '#db/schema/auth-sources.ts'
import { softwareLoginLogs } from '#db/schema/clients.ts'
import { contacts, monitorSettings } from '#db/schema/monitor.ts'
import { memberSettings, networkMembers, networkSettings, networkVersions, networks } from '#db/schema/networks.ts'
import { messages } from '#db/schema/notices.ts'
import { networkFrs, networkTickets } from '#db/schema/pop.ts'
import { routers } from '#db/schema/routers.ts'
import { bandwidthPools, saasDevices } from '#db/schema/saas.ts'
import { tickets } from '#db/schema/tickets.ts'

/* Statements of a local run that give an account a past: its hubs, earlier times of its rows. */

export const selectAccounts = (db: Db, username: string) =>
  db.all<[id: number, hub: HubName]>(sql`select id, hub from accounts where username = ${username}`)

/** Members of an account with the numbers of their networks. */
export const selectMembers = (db: Db, username: string) =>
  db.all<[name: string, hub: HubName, type: number, networks: string]>(sql`
    select r.name, r.hub, r.router_type, (select json_group_array(n.number) from network_members m
      join networks n on n.id = m.network_id where m.router_id = r.id)
    from routers r join accounts a on a.id = r.account_id where a.username = ${username}`)

export const selectRams = (db: Db, accountId: number) =>
  db.all<[id: number, username: string]>(sql`select id, username from ram_accounts where account_id = ${accountId}`)

/** Times of rows that the set-up of an account writes. */
const SETUP_TIMES: readonly Column[] = [
  contacts.mailAt,
  contacts.createdAt,
  ramRoles.createdAt,
  ramRoles.updatedAt,
  ramAccounts.createdAt,
  routers.createdAt,
  networks.createdAt,
  networkMembers.joinedAt,
  networkSettings.updatedAt,
  memberSettings.updatedAt,
  networkVersions.at,
  auditLogs.at,
  softwareLoginLogs.at,
  authSources.createdAt,
  authSources.updatedAt,
  bandwidthPools.createdAt,
  saasDevices.createdAt,
  networkFrs.createdAt,
  monitorSettings.updatedAt,
]

const earlier = (columns: readonly Column[], ms: number) =>
  sql.join(
    columns.map(({ name }) => sql`${sql.identifier(name)} = ${sql.identifier(name)} - ${ms}`),
    sql`, `,
  )

export interface Backdating {
  readonly now: number
  /** Age of the account's set-up, and of its tickets. */
  readonly setupMs: number
  readonly ticketsMs: number
}

/** Moves the times of an account's rows back: those of the set-up, and those of tickets. */
export function backdate(db: Db, accountId: number, { now, setupMs, ticketsMs }: Backdating) {
  const { unprocessed, processing } = NETWORK_TICKET_STATUS
  const isOpen = sql`status in (${unprocessed}, ${processing})`
  const own = sql`account_id = ${accountId}`
  return {
    // The term of a contact begins with the click in its mail; an operator has changed the others.
    authorizations: db.run(sql`
      update contacts set ${earlier([contacts.verifiedAt, contacts.expiresAt, contacts.warnAt], setupMs)}
      where ${own} and verified_at >= created_at`),
    account: db.run(sql`update accounts set created_at = created_at - ${setupMs} where id = ${accountId}`),
    ...Object.fromEntries(
      [...Map.groupBy(SETUP_TIMES, ({ table }) => table)].map(([table, columns]) => [
        getTableName(table),
        db.run(sql`update ${table} set ${earlier(columns, setupMs)} where ${own}`),
      ]),
    ),
    // Those of the cron about terms that end come now.
    messages: db.run(sql`
      update messages set ${earlier([messages.createdAt], setupMs)} where ${own} and title not like '%期'`),
    openOrders: db.run(sql`
      update network_tickets set ${earlier([networkTickets.createdAt], ticketsMs)} where ${own} and ${isOpen}`),
    orders: db.run(sql`
      update network_tickets set ${earlier([networkTickets.createdAt, networkTickets.completedAt], setupMs)}
      where ${own} and not ${isOpen}`),
    ...backdateTickets(db, accountId, { now, setupMs, ticketsMs }),
  }
}

/** Tickets are numbered by their day; replies come one after the other, with their messages and audit rows. */
function backdateTickets(db: Db, accountId: number, { now, setupMs, ticketsMs }: Backdating) {
  const own = sql`account_id = ${accountId}`
  const [today, then] = [now, now - ticketsMs].map((at) => `T${dateText(at).replaceAll('-', '')}`)
  const toThen = (column: SQL) => sql`replace(${column}, ${today}, ${then})`
  const laterMs = setupMs - ticketsMs
  const ticketTimes = [tickets.createdAt, tickets.updatedAt, tickets.answeredAt, tickets.closedAt]
  const lastReply = (side: SQL) => sql`(select max(r.created_at) from ticket_replies r
    where r.ticket_id = tickets.id and r.side in (${side}))`
  return {
    tickets: db.run(sql`
      update tickets set number = ${toThen(sql`number`)}, ${earlier(ticketTimes, ticketsMs)} where ${own}`),
    replies: db.run(sql`
      update ticket_replies set created_at = created_at - ${ticketsMs} + ${REPLY_MS} * (select count(*)
        from ticket_replies e where e.ticket_id = ticket_replies.ticket_id and e.id <= ticket_replies.id)
      where ${own}`),
    ticketSteps: db.run(sql`
      update tickets set updated_at = max(updated_at, coalesce(${lastReply(sql`'adviser', 'customer'`)}, 0)),
        answered_at = max(answered_at, coalesce(${lastReply(sql`'adviser'`)}, 0)),
        closed_at = max(closed_at, coalesce(${lastReply(sql`'adviser', 'customer'`)}, 0))
      where ${own}`),
    ticketMessages: db.run(sql`
      update messages set content = ${toThen(sql`content`)}, created_at = coalesce((select r.created_at
        from ticket_replies r where r.account_id = ${accountId}
        and substr(messages.content, -length(r.content)) = r.content), created_at + ${laterMs})
      where ${own} and type = '工单' and title like '工单“%'`),
    ticketAudit: db.run(sql`
      update audit_logs set target = ${toThen(sql`target`)}, at = at + ${laterMs} where ${own} and module = 'ticket'`),
    replyAudit: db.run(sql`
      update audit_logs set at = r.created_at from (
        select t.number, r.created_at, row_number() over (partition by r.ticket_id order by r.id) as place
        from ticket_replies r join tickets t on t.id = r.ticket_id
        where r.account_id = ${accountId} and r.side = 'customer') r
      where ${own} and module = 'ticket' and action = 'reply' and target = r.number and r.place = 1 + (
        select count(*) from audit_logs e where e.account_id = ${accountId} and e.action = 'reply'
          and e.target = audit_logs.target and e.id < audit_logs.id)`),
  }
}
/** Time between two replies of one ticket. */
const REPLY_MS = 1_500_000

export const releaseAnnouncement = (db: Db, title: string, at: number) =>
  db.run(sql`update announcements set release_at = ${at} where title = ${title}`)

/** Software members without an open dial have been away since their last one; their hubs get no notice of it. */
export const settleClients = (db: Db, accountId: number) =>
  db.run(sql`
    update router_states set presence_since = last_seen_at, notified_presence = null
    where presence = 'offline' and router_id in (select id from routers
      where account_id = ${accountId} and router_type = ${ROUTER_TYPE.software})`)
