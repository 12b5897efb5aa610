import { type SQL, and, asc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import type { Session } from '#contract/kernel/session.ts'
import { as } from '#db/columns.ts'
import type { Db } from '#db/client.ts'
import { accounts, ramAccounts, sessions } from '#db/schema/accounts.ts'

/* Statements that read the sign-ins which a caller may see and end. */

type Caller = Pick<Session, 'id' | 'accountId' | 'ramId'>

/** Condition: an open sign-in of the caller, or of anybody in the account if the caller is the main account. */
const isVisible = ({ accountId, ramId }: Caller, now: number): SQL | undefined =>
  and(
    eq(sessions.accountId, accountId),
    ramId === null ? undefined : eq(sessions.ramId, ramId),
    isNull(sessions.endedAt),
    gt(sessions.expiresAt, now),
  )

const userColumns = {
  id: sessions.id,
  ramId: sessions.ramId,
  hub: accounts.hub,
  username: accounts.username,
  ramDomain: accounts.ramDomain,
  ramUsername: as(ramAccounts.username, 'ram_username'),
}

/** Sign-ins that the caller may see: first this one, then the caller's own, then the rest by last renewal. */
export const selectSignIns = (db: Db, caller: Caller, now: number) =>
  db
    .select({
      ...userColumns,
      ip: sessions.ip,
      place: sessions.place,
      host: sessions.host,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      rotatedAt: sessions.rotatedAt,
      refreshAt: sessions.refreshAt,
      refreshIp: sessions.refreshIp,
      refreshPlace: sessions.refreshPlace,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(ramAccounts, eq(ramAccounts.id, sessions.ramId))
    .where(isVisible(caller, now))
    .orderBy(
      sql`${sessions.id} = ${caller.id} desc`,
      sql`${sessions.ramId} is ${caller.ramId} desc`,
      sql`max(${sessions.rotatedAt}, ${sessions.refreshAt}) desc`,
      asc(sessions.id),
    )

export const selectSignIn = (db: Db, caller: Caller, id: string, now: number) =>
  db
    .select(userColumns)
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(ramAccounts, eq(ramAccounts.id, sessions.ramId))
    .where(and(isVisible(caller, now), eq(sessions.id, id)))

/** The caller's other sign-ins, with the hub of the account. */
export const selectOtherSignIns = (db: Db, caller: Caller, now: number) =>
  db
    .select({ id: sessions.id, hub: accounts.hub })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(isVisible(caller, now), sql`${sessions.ramId} is ${caller.ramId}`, ne(sessions.id, caller.id)))
