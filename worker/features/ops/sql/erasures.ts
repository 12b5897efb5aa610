import { type SQL, asc, desc, eq, sql } from 'drizzle-orm'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { ERASURE } from '#contract/ops/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { ACCOUNT_TABLES, type AccountTable, targetsOf } from '#db/schema/account-tables.ts'
import { type CronRun, auditSystemRows } from '#db/audit.ts'
import type { Db } from '#db/client.ts'
import { idList, isOneOf } from '#db/columns.ts'
import { insertOutboxFrom } from '#db/hub-outbox.ts'
import { deleteAttemptsUnder } from '#db/rate-limit.ts'
import { accounts } from '#db/schema/accounts.ts'
import { files } from '#db/schema/files.ts'
import { ldapHubs } from '#db/schema/ldap.ts'
import { monitorSettings, webhooks } from '#db/schema/monitor.ts'
import { networks } from '#db/schema/networks.ts'
import { routers } from '#db/schema/routers.ts'
import { accountErasures } from '#db/schema/service.ts'
import { PRESENT_STATES } from '#domain/health/member.ts'

/* Statements of erasures: the account, its rows in portions, the last of them, and the record that is left. */

export interface Erasure {
  readonly accountId: number
  readonly directoryHub: string | null
  /** Time from which no row is left; null before. */
  readonly rowsAt: number | null
}

const erasureColumns = {
  accountId: accountErasures.accountId,
  directoryHub: accountErasures.directoryHub,
  rowsAt: accountErasures.rowsAt,
}

/** An account with what decides on its erasure, also while one is under way. */
export const selectErasable = (db: Db, username: string) =>
  db
    .select({
      id: accounts.id,
      hub: accounts.hub,
      status: accounts.status,
      directoryHub: sql<string | null>`${ldapHubs.hub}`.as('directory_hub'),
      isErasing: sql<0 | 1>`${accounts.id} in (select account_id from account_erasures)`.as('is_erasing'),
      hasNodes: sql<0 | 1>`exists (select 1 from pop_nodes p join routers node on node.id = p.router_id
        where node.account_id = ${accounts.id})`.as('has_nodes'),
      online: sql<number>`(select count(*) from routers r join router_states s on s.router_id = r.id
        where r.account_id = ${accounts.id} and r.router_type = ${ROUTER_TYPE.hardware}
          and ${isOneOf(sql`s.presence`, PRESENT_STATES)})`.as('online'),
    })
    .from(accounts)
    .leftJoin(ldapHubs, eq(ldapHubs.accountId, accounts.id))
    .where(eq(accounts.username, username))

export const insertErasure = (
  db: Db,
  row: Required<Pick<typeof accountErasures.$inferInsert, 'accountId' | 'startedAt' | 'startedBy' | 'directoryHub'>>,
) => db.insert(accountErasures).values(row).onConflictDoNothing()

/** Without settings its hub sends nobody the alerts that the end of its devices would raise. */
export const deleteAlertSettings = (db: Db, accountId: number) => ({
  monitor: db.delete(monitorSettings).where(eq(monitorSettings.accountId, accountId)),
  webhook: db.delete(webhooks).where(eq(webhooks.accountId, accountId)),
})

export const selectErasure = (db: Db, accountId: number) =>
  db.select(erasureColumns).from(accountErasures).where(eq(accountErasures.accountId, accountId))

export const selectOpenErasures = (db: Db) =>
  db
    .select(erasureColumns)
    .from(accountErasures)
    .where(sql`${accountErasures.finishedAt} is null`) // the condition of its index
    .orderBy(asc(accountErasures.accountId))
    .limit(ERASURE.listed)

/** The newest erasures, each with the number of hubs that have not answered. */
export const selectErasures = (db: Db) =>
  db
    .select({
      accountId: accountErasures.accountId,
      startedAt: accountErasures.startedAt,
      startedBy: accountErasures.startedBy,
      finishedAt: accountErasures.finishedAt,
      hubsLeft: sql<number>`(${accountErasures.directoryHub} is not null)
        + (select count(*) from hub_outbox o where o.erasure = ${accountErasures.accountId})`.as('hubs_left'),
    })
    .from(accountErasures)
    .orderBy(desc(accountErasures.accountId))
    .limit(ERASURE.listed)

/** Deletes at most `limit` rows of a table, and answers one for each. */
export const deletePortionOf = (db: Db, { name, rows }: AccountTable, accountId: number, limit: number) =>
  db.all<[number]>(sql`
    delete from ${sql.identifier(name)} where rowid in (
      select rowid from ${sql.identifier(name)} where ${rows(accountId)} limit ${limit}) returning 1`)

/** Deletes the rows of all tables that are left, and at the end that of the account. */
export const deleteAllRows = (db: Db, accountId: number) =>
  Object.fromEntries(
    ACCOUNT_TABLES.map(({ name, rows }) => [
      name,
      db.run(sql`delete from ${sql.identifier(name)} where ${rows(accountId)}`),
    ]),
  )

/** Counters of the account, by the word in front of its number. */
const ACCOUNT_COUNTERS = [
  'activation',
  'auth_source_probe',
  'contact_mail',
  'contact_mails',
  'diagnose',
  'dial',
  'ldap_ca',
  'ldap_check',
  'ldap_verify',
  'log_export',
  'network_resend',
  'router_kill',
  'router_resend',
  'router_respawn',
  'router_status',
  'router_switch',
  'webhook_test',
]
/** Counters of the account holder and of sub-accounts. */
const PERSON_COUNTERS = ['login', 'password', 'ticket_create', 'ticket_reply', 'ticket_upload', 'totp', 'writes:person']
/** Counters of software members. */
const CLIENT_COUNTERS = ['client_login', 'client_profile', 'login:client']

const words = (list: readonly string[]): SQL => sql`(select value as word from json_each(${JSON.stringify(list)}))`

/** Deletes what the service keeps under names of the account: counters, and the local outbox. Persons must still be there. */
export const deleteNamed = (db: Db, accountId: number) => ({
  attempts: deleteAttemptsUnder(
    db,
    sql`
      select word || ${`:${accountId}`} from ${words(ACCOUNT_COUNTERS)}
      union all select word || ${`:main:${accountId}`} from ${words(PERSON_COUNTERS)}
      union all select word || ':ram:' || r.id from ${words(PERSON_COUNTERS)}, ram_accounts r where r.account_id = ${accountId}
      union all select word || ':' || c.id from ${words(CLIENT_COUNTERS)}, routers c
        where c.account_id = ${accountId} and c.router_type = ${ROUTER_TYPE.software}
      union all select 'contact_mails:all:' || email from contacts where account_id = ${accountId}`,
  ),
  outbox: db.run(sql`delete from outbox where recipient in (${targetsOf(accountId)})`),
})

export const selectFiles = (db: Db, accountId: number, limit: number) =>
  db.select({ id: files.id, key: files.key }).from(files).where(eq(files.accountId, accountId)).limit(limit)

export const deleteFiles = (db: Db, accountId: number, ids: readonly number[]) =>
  db.run(sql`delete from files where account_id = ${accountId} and id in (${idList(ids)})`)

export const selectRouters = (db: Db, accountId: number, limit: number) =>
  db
    .select({ id: routers.id, name: routers.name, hub: routers.hub })
    .from(routers)
    .where(eq(routers.accountId, accountId))
    .limit(limit)

/** Deletes members. What belongs to one goes with it; states are named, because a database can turn cascades off. */
export const deleteRouters = (db: Db, accountId: number, ids: readonly number[]) => ({
  states: db.run(sql`
    delete from router_states where router_id in (
      select id from routers where account_id = ${accountId} and id in (${idList(ids)}))`),
  routers: db.run(sql`delete from routers where account_id = ${accountId} and id in (${idList(ids)})`),
})

export const selectNetworks = (db: Db, accountId: number, limit: number) =>
  db.select({ id: networks.id, hub: networks.hub }).from(networks).where(eq(networks.accountId, accountId)).limit(limit)

/** Refreshes of the nodes that carry these networks, in front of their deletion; the erasure waits for them. */
export const refreshNodes = (db: Db, accountId: number, ids: readonly number[], now: number) =>
  insertOutboxFrom(
    db,
    sql`select distinct 'router' as kind, r.hub as hub from pop_members m join routers r on r.id = m.router_id
      where m.account_id = ${accountId} and m.network_id in (${idList(ids)})`,
    now + HUB_OUTBOX.sweepAfterMs,
    { erasure: accountId },
  )

/** Takes networks from their nodes and deletes them. */
export const deleteNetworks = (db: Db, accountId: number, ids: readonly number[]) => ({
  carried: db.run(sql`delete from pop_members where account_id = ${accountId} and network_id in (${idList(ids)})`),
  networks: db.run(sql`delete from networks where account_id = ${accountId} and id in (${idList(ids)})`),
})

/** Deletes records of these hubs and devices without a row. */
export const deleteMissingRows = (db: Db, names: readonly string[]) =>
  db.run(sql`delete from missing_rows where name in (select value from json_each(${JSON.stringify(names)}))`)

export const updateRowsAt = (db: Db, accountId: number, now: number) =>
  db.update(accountErasures).set({ rowsAt: now }).where(eq(accountErasures.accountId, accountId))

export const clearDirectoryHub = (db: Db, accountId: number) =>
  db.update(accountErasures).set({ directoryHub: null }).where(eq(accountErasures.accountId, accountId))

/** Ends an erasure once, with its audit row, if no hub of it is left. */
export function finishErasure({ db, now, runId }: CronRun & { readonly db: Db }, accountId: number) {
  const isOver = sql`account_id = ${accountId} and finished_at is null and rows_at is not null
    and directory_hub is null and not exists (select 1 from hub_outbox where erasure = ${accountId})`
  return {
    audit: auditSystemRows(
      db,
      { now, runId },
      { module: 'ops', action: 'account/erase', message: '账号数据已全部清除' },
      sql`select 0 as account_id, cast(account_id as text) as target, '' as name from account_erasures where ${isOver}`,
    ),
    finished: db.run(sql`update account_erasures set finished_at = ${now} where ${isOver}`),
  }
}
