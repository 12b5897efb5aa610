import { type SQL, sql } from 'drizzle-orm'
import type { MessageType } from '#contract/message/limits.ts'
import { type AuditEntry, type CronRun, auditSystemRows } from '#db/audit.ts'
import type { Db } from '#db/client.ts'
import { insertOutboxFrom } from '#db/hub-outbox.ts'
import { quotaSql } from '#db/quota.ts'
import { NETWORK, NETWORK_STATUS } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* SQL of the suspension of networks over quota: status, warnings, and withdrawal from the devices. */

type SystemEntry = Omit<AuditEntry, 'target'>

const toStatus = (network_status: number) => ({ network_status })
const SUSPENDED: SystemEntry = {
  module: 'network',
  action: 'suspend',
  message: '成员配额不足，组网“{name}”已停用',
  before: toStatus(NETWORK_STATUS.normal),
  after: toStatus(NETWORK_STATUS.overQuota),
}
const RESUMED: SystemEntry = {
  module: 'network',
  action: 'resume',
  message: '成员配额恢复，组网“{name}”已启用',
  before: toStatus(NETWORK_STATUS.overQuota),
  after: toStatus(NETWORK_STATUS.normal),
}
const WITHDRAWN: SystemEntry = {
  module: 'network',
  action: 'withdraw',
  message: `组网“{name}”停用已满${NETWORK.suspensionDays}天，已从成员设备移除配置`,
}
const RESTORED: SystemEntry = {
  module: 'network',
  action: 'restore',
  message: '组网“{name}”已启用，重新向成员设备下发配置',
}

/** Updates network_status of one account: part of every batch that changes its members or services. */
export const updateNetworkStatus = (db: Db, accountId: number, now: number) =>
  update(db, now, sql`(select ${accountId} as account_id)`)

/**
 * Updates the accounts with a service that starts or ends between the two times: only their quota changes without a write.
 */
export const updateNetworkStatusSince = (db: Db, since: number, now: number) =>
  update(db, now, accountsSince(since, now))

const accountsSince = (since: number, now: number): SQL => sql`(
  select account_id from services where start_at > ${since} and start_at <= ${now}
  union select account_id from services where expire_at > ${since} and expire_at <= ${now})`

/** Audit rows of that update; they run before it. A person's write records suspensions in its own audit row. */
export function auditNetworkStatusSince(db: Db, since: number, run: CronRun) {
  const { normal, overQuota } = NETWORK_STATUS
  const moved = (status: number) => sql`
    ${tryNetworks(run.now, accountsSince(since, run.now))}
    select n.account_id, n.number as target, n.name from tried t cross join networks n on n.id = t.id
    where t.status = ${status} and t.fits <> (t.status = ${normal})`
  return {
    suspended: auditSystemRows(db, run, SUSPENDED, moved(normal)),
    resumed: auditSystemRows(db, run, RESUMED, moved(overQuota)),
  }
}

/**
 * Tries networks in the order of creation: one is available if its members fit into the rest of the quota. One that does
 * not fit uses nothing, and the next is tried (network 2). Devices keep their configuration for `NETWORK.suspensionDays`;
 * until then a suspended network pushes no new one, and disconnects no member.
 */
function update(db: Db, now: number, accounts: SQL) {
  const { normal, overQuota } = NETWORK_STATUS
  return db.run(sql`
    ${tryNetworks(now, accounts)}
    update networks set status = case status when ${normal} then ${overQuota} else ${normal} end,
      suspended_at = case status when ${normal} then ${now} end
    where id in (select id from tried where fits <> (status = ${normal}))`)
}

/** The table `tried`, with a flag `fits` for each network of the accounts. */
const tryNetworks = (now: number, accounts: SQL): SQL => sql`
    with recursive sizes as materialized (
      select n.id, n.account_id, n.status, row_number() over (partition by n.account_id order by n.id) as place,
        (select count(*) from network_members m where m.network_id = n.id) as members,
        ${quotaSql(sql`n.account_id`, 'network_member', now)} as quota
      from ${accounts} a cross join networks n on n.account_id = a.account_id
    ), tried as (
      select id, account_id, status, place, members <= quota as fits, members * (members <= quota) as used
      from sizes where place = 1
      union all
      select next.id, next.account_id, next.status, next.place, t.used + next.members <= next.quota,
        t.used + next.members * (t.used + next.members <= next.quota)
      from tried t join sizes next on next.account_id = t.account_id and next.place = t.place + 1
    )`

/** Maximum of networks that one run withdraws or restores; the next run takes the rest. */
const PORTION = 20

/**
 * Withdraws networks suspended for `NETWORK.suspensionDays` from the documents of their members, once, and restores those
 * that work again. The notices to hubs come first, because they select the rows that the update changes.
 */
export function updateWithdrawn(db: Db, run: CronRun) {
  const { now } = run
  const { normal, overQuota } = NETWORK_STATUS
  const before = now - NETWORK.suspensionDays * DAY_MS
  const due = sql`(
    select id from (
      select id from networks where status = ${overQuota} and withdrawn = 0 and suspended_at <= ${before}
      union all select id from networks where withdrawn = 1 and status = ${normal})
    order by id limit ${PORTION})`
  const moved = (withdrawn: 0 | 1) =>
    sql`select account_id, number as target, name from networks where id in ${due} and withdrawn = ${withdrawn}`
  return {
    // A release without the column may have suspended a network during a deploy.
    undated: db.run(sql`
      update networks set suspended_at = ${now} where status = ${overQuota} and withdrawn = 0 and suspended_at is null`),
    hubs: insertOutboxFrom(
      db,
      sql`
        select 'network' as kind, n.hub as hub from networks n where n.id in ${due}
        union select 'router', r.hub from network_members m join routers r on r.id = m.router_id
          where m.network_id in ${due} and r.router_type = ${ROUTER_TYPE.hardware}
        union select 'router', r.hub from pop_members p join routers r on r.id = p.router_id where p.network_id in ${due}`,
      now,
    ),
    withdrawnAudit: auditSystemRows(db, run, WITHDRAWN, moved(0)),
    restoredAudit: auditSystemRows(db, run, RESTORED, moved(1)),
    networks: db.run(sql`update networks set withdrawn = 1 - withdrawn, revision = revision + 1 where id in ${due}`),
  }
}

/** Maximum of warnings that one run writes; the next run takes the rest. */
const WARNINGS = 100

const TYPE: MessageType = '服务'

const eventId = (days: SQL) => sql`'suspension:' || n.hub || ':' || n.suspended_at || ':' || ${days}`
const isSuspended = sql`n.status = ${NETWORK_STATUS.overQuota} and n.withdrawn = 0`
const isNew = (event: SQL) => sql`not exists (select 1 from messages m where m.event_id = ${event})`

/** Suspended networks with a due warning (`NETWORK.suspensionWarningDays`); after a late run, only the last missed one. */
export function selectDueSuspensions(db: Db, now: number) {
  const days = JSON.stringify(NETWORK.suspensionWarningDays)
  const isDue = (left: SQL) => sql`n.suspended_at <= ${now} - (${NETWORK.suspensionDays} - ${left}) * ${DAY_MS}`
  return db.all<[id: number, suspendedAt: number, name: string, days: number]>(sql`
    select n.id, n.suspended_at, n.name, d.value as days
    from json_each(${days}) d cross join networks n
    where ${isSuspended} and ${isDue(sql`d.value`)}
      and not exists (select 1 from json_each(${days}) e where e.value < d.value and ${isDue(sql`e.value`)})
      and ${isNew(eventId(sql`d.value`))}
    order by n.id limit ${WARNINGS}`)
}

/** A warning about a suspended network. It is written only if `suspendedAt` is unchanged. */
export interface SuspensionWarning {
  readonly id: number
  readonly suspendedAt: number
  readonly days: number
  readonly title: string
  readonly content: string
}

/** Inserts site messages. The notices to hubs come first, because the missing message selects them. */
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
