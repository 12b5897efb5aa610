import { type SQL, and, desc, eq, gte, lte, or, sql } from 'drizzle-orm'
import type { TimeRange } from '#contract/kernel/hubs.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { as, contains } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { quotaSql } from '#db/quota.ts'
import { accounts, auditLogs, ramAccounts, ramRoles } from '#db/schema/accounts.ts'

/* Statements on sub-accounts: rows, quota, guards, and their lines of the audit log. */

type NewRam = Omit<typeof ramAccounts.$inferInsert, 'roleId'> & { readonly roleId: number | SQL }

/**
 * Inserts a sub-account. Its id must be random (`randomId`), so that nobody inherits the tickets, messages and counters of
 * a deleted one, which are kept under its key.
 */
export const insertRam = (db: Db, row: NewRam) =>
  db
    .insert(ramAccounts)
    .values({ ...row, roleId: row.roleId as number })
    .returning({ id: ramAccounts.id })

/** Sub-account of this name in any case, read before a password is hashed; the unique index decides a race. */
export const selectRamByName = (db: Db, accountId: number | SQL, username: string) =>
  db
    .select({ id: ramAccounts.id })
    .from(ramAccounts)
    .where(and(sql`${ramAccounts.accountId} = ${accountId}`, eq(ramAccounts.username, username)))

/** Guard condition: rights and status are those that were read, so that no session opens with former rights. */
export const hasRights = ({ accountId, ramId, flags, networks }: ReadRights): SQL =>
  sql`exists (select 1 from ram_accounts join ram_roles on ram_roles.id = ram_accounts.role_id
    where ram_accounts.id = ${ramId} and ram_accounts.account_id = ${accountId} and ram_accounts.status = 1
    and ram_roles.flags = ${flags} and ram_roles.networks is ${networks})`

interface ReadRights {
  readonly accountId: number
  readonly ramId: number
  readonly flags: string | null
  readonly networks: string | null
}

export const selectRamDomain = (db: Db, accountId: number) =>
  db.select({ domain: accounts.ramDomain }).from(accounts).where(eq(accounts.id, accountId))

export const selectRamQuota = (db: Db, accountId: number, now: number) =>
  db
    .select({
      count: countRams(accountId).as('count'),
      max: quotaSql(accountId, 'sub_account', now).as('max'),
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))

const countRams = (accountId: number): SQL<number> =>
  sql<number>`(select count(*) from ram_accounts where account_id = ${accountId})`

export const guardRamQuota = (db: Db, accountId: number, limit: number, now: number) =>
  guard(
    db,
    sql`${countRams(accountId)} < ${quotaSql(accountId, 'sub_account', now)}`,
    violation('RAM_LIMIT_REACHED', { limit }),
  )

const isRam = (accountId: number, id: number) => and(eq(ramAccounts.accountId, accountId), eq(ramAccounts.id, id))

const columns = (now: number) => ({
  id: ramAccounts.id,
  username: ramAccounts.username,
  nickname: ramAccounts.nickname,
  role_id: ramAccounts.roleId,
  role_name: as(ramRoles.name, 'role_name'),
  status: sql<0 | 1>`${ramAccounts.status}`.as('status'),
  session_count: sql<number>`(select count(*) from sessions s where s.account_id = ${ramAccounts.accountId}
    and s.ram_id = ${ramAccounts.id} and s.ended_at is null and s.expires_at > ${now})`.as('session_count'),
  create_time: ramAccounts.createdAt,
  login_time: ramAccounts.loginAt,
})

const searched = [ramAccounts.username, ramAccounts.nickname, ramRoles.name]

export const selectRams = (db: Db, accountId: number, search: string, now: number) =>
  db
    .select(columns(now))
    .from(ramAccounts)
    .innerJoin(ramRoles, eq(ramRoles.id, ramAccounts.roleId))
    .where(
      and(
        eq(ramAccounts.accountId, accountId),
        search === '' ? undefined : or(...searched.map((column) => contains(column, search))),
      ),
    )
    .orderBy(desc(ramAccounts.createdAt), desc(ramAccounts.id))

export const selectRam = (db: Db, accountId: number, id: number, now: number) =>
  db
    .select(columns(now))
    .from(ramAccounts)
    .innerJoin(ramRoles, eq(ramRoles.id, ramAccounts.roleId))
    .where(isRam(accountId, id))

export const selectRoleById = (db: Db, accountId: number, id: number) =>
  db
    .select({ id: ramRoles.id, name: ramRoles.name })
    .from(ramRoles)
    .where(and(eq(ramRoles.accountId, accountId), eq(ramRoles.id, id)))

export const guardRam = (db: Db, accountId: number, id: number) =>
  guard(
    db,
    sql`exists (select 1 from ram_accounts where account_id = ${accountId} and id = ${id})`,
    violation('RAM_NOT_FOUND'),
  )

export const updateRam = (
  db: Db,
  accountId: number,
  id: number,
  set: Partial<Pick<typeof ramAccounts.$inferInsert, 'roleId' | 'nickname' | 'password' | 'status'>>,
) => db.update(ramAccounts).set(set).where(isRam(accountId, id))

export const deleteRam = (db: Db, accountId: number, id: number) => db.delete(ramAccounts).where(isRam(accountId, id))

/** Audit lines of a sub-account since its creation; older ones are of another person with the same id. */
export const selectRamLog = (db: Db, accountId: number, { ramId, from, to }: TimeRange & { readonly ramId: number }) =>
  db
    .select({
      module: auditLogs.module,
      action: auditLogs.action,
      message: auditLogs.message,
      create_time: auditLogs.at,
    })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.accountId, accountId),
        eq(auditLogs.actorKind, 'ram'),
        eq(auditLogs.actorId, ramId),
        gte(auditLogs.at, from),
        lte(auditLogs.at, to),
        sql`${auditLogs.at} >= (select created_at from ram_accounts where id = ${ramId} and account_id = ${accountId})`,
      ),
    )
    .orderBy(desc(auditLogs.at), desc(auditLogs.id))
