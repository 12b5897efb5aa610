import { type SQL, and, eq, isNull, sql } from 'drizzle-orm'
import { violation } from '../../contract/errors.ts'
import type { Db } from '../../db/client.ts'
import { guard } from '../../db/guard.ts'
import { accounts, attempts, ramAccounts, sessions, tokenLinks } from '../../db/schema/accounts.ts'
import type { LoginName } from '../../domain/account/login-name.ts'
import { hmac } from '../../security/secrets.ts'
import { selectUser } from '../account/queries.ts'

/**
 * Counts one sensitive attempt under `key` and returns [count, end of its window]. A window starts with its first
 * attempt and ends by itself. With `when`, an attempt counts only where that holds; otherwise no row comes back.
 */
export const countAttempt = (db: Db, key: string, windowMs: number, now: number, when: SQL = sql`true`) =>
  db.all<[number, number]>(sql`
    insert into attempts (key, count, window_end) select ${key}, 1, ${now + windowMs} where ${when}
    on conflict (key) do update set
      count = case when window_end <= ${now} then 1 else count + 1 end,
      window_end = case when window_end <= ${now} then excluded.window_end else window_end end
    returning count, window_end`)

/** Condition of a guard behind `countAttempt`: no more than `limit` in this window. */
export const attemptsWithin = (key: string, limit: number): SQL =>
  sql`(select count from attempts where key = ${key}) <= ${limit}`

export const forgetAttempts = (db: Db, key: string) => db.delete(attempts).where(eq(attempts.key, key))

/** Takes one attempt back, where it turned out to be a good one. */
export const uncountAttempt = (db: Db, key: string) =>
  db
    .update(attempts)
    .set({ count: sql`max(0, ${attempts.count} - 1)` })
    .where(eq(attempts.key, key))

/** By username, e-mail or phone. A verified phone wins over a username of the same digits. */
export function userByLoginName(db: Db, { text, phone }: LoginName) {
  const isPhone = phone
    ? sql`(${accounts.areaCode} = ${phone.areaCode} and ${accounts.phone} = ${phone.number})`
    : sql`(1 = 0)`
  return selectUser(db, sql`${accounts.username} = ${text} or ${accounts.email} = ${text} or ${isPhone}`, false)
    .orderBy(sql`${isPhone} desc`)
    .limit(1)
}

/** Its id inside a statement; null where nobody has that name. */
export const idByLoginName = (db: Db, name: LoginName): SQL =>
  sql`(select id from (${userByLoginName(db, name).getSQL()}))`

export function userByRamName(db: Db, name: string, domain: string) {
  return selectUser(
    db,
    and(eq(accounts.ramDomain, domain), sql`${ramAccounts.id} is not null`),
    eq(ramAccounts.username, name),
  ).limit(1)
}

/** Whoever a session belongs to. */
export const userOfSession = (db: Db, id: string) =>
  selectUser(
    db,
    sql`${accounts.id} = (select account_id from sessions where id = ${id})`,
    sql`${ramAccounts.id} = (select ram_id from sessions where id = ${id})`,
  )

/** The password that was checked still stands, and nobody disabled its owner meanwhile. */
export const isStillGood = ({ accountId, ramId, password }: Credential): SQL =>
  ramId === null
    ? sql`exists (select 1 from accounts where id = ${accountId} and password = ${password} and status = 1)`
    : sql`exists (select 1 from ram_accounts join accounts on accounts.id = ram_accounts.account_id
        where ram_accounts.id = ${ramId} and ram_accounts.password = ${password}
        and ram_accounts.status = 1 and accounts.status = 1)`

export interface Credential {
  readonly accountId: number
  readonly ramId: number | null
  readonly password: string
}

/** `accountId` may be SQL that finds it. */
type NewSession = Omit<typeof sessions.$inferInsert, 'accountId'> & { readonly accountId: number | SQL }

export const insertSession = (db: Db, row: NewSession) => db.insert(sessions).values(row)

export const noteRamLogin = (db: Db, ramId: number, now: number) =>
  db.update(ramAccounts).set({ loginAt: now }).where(eq(ramAccounts.id, ramId))

/** Puts the successor in place of the token that was shown, if that was the current one. */
export function rotateSession(db: Db, id: string, shownHash: string, nextHash: string, terms: RotationTerms) {
  const { now, slideMs, fixedMs } = terms
  return db
    .update(sessions)
    .set({
      refreshHash: nextHash,
      rotatedAt: now,
      // a session from a token link keeps its hour
      expiresAt: sql`case when ${sessions.expiresAt} - ${sessions.createdAt} <= ${fixedMs} then ${sessions.expiresAt} else ${now + slideMs} end`,
    })
    .where(and(isLive(id, now), eq(sessions.refreshHash, shownHash)))
}

interface RotationTerms {
  readonly now: number
  readonly slideMs: number
  readonly fixedMs: number
}

/**
 * Ends the session unless the successor of the token that was shown is current and young: then two tabs refreshed at
 * once and get the same one. Everything else is a token used again after its time. Returns the id if it ended now.
 */
export const endReusedSession = (db: Db, id: string, nextHash: string, now: number, graceMs: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(isReused(id, nextHash, now, graceMs))
    .returning({ id: sessions.id })

const isReused = (id: string, nextHash: string, now: number, graceMs: number): SQL | undefined =>
  and(isLive(id, now), sql`not (${sessions.refreshHash} = ${nextHash} and ${sessions.rotatedAt} > ${now - graceMs})`)

/** `endReusedSession` would end the session. */
export const isSessionReused = (...which: Parameters<typeof isReused>): SQL =>
  sql`exists (select 1 from ${sessions} where ${isReused(...which)})`

/** The session has not ended. */
export const isNotEnded = (id: string): SQL =>
  sql`exists (select 1 from sessions where id = ${id} and ended_at is null)`

export const accountOfSession = (id: string): SQL => sql`(select account_id from sessions where id = ${id})`

const isLive = (id: string, now: number): SQL | undefined =>
  and(eq(sessions.id, id), isNull(sessions.endedAt), sql`${sessions.expiresAt} > ${now}`)

export const sessionById = (db: Db, id: string) => db.select().from(sessions).where(eq(sessions.id, id))

/** Ends one session; its id and account come back if it was open. With `refreshHash`, only for who holds that token. */
export const endSession = (db: Db, id: string, now: number, refreshHash?: string) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(
      and(
        eq(sessions.id, id),
        isNull(sessions.endedAt),
        refreshHash === undefined ? undefined : eq(sessions.refreshHash, refreshHash),
      ),
    )
    .returning({ id: sessions.id, accountId: sessions.accountId })

/** Whose sessions end: everybody's of the account, or one person's. */
export interface SessionsOf {
  readonly accountId: number
  /** A sub-account; null for the main account itself; left out for both. */
  readonly ramId?: number | null
}

/** Ends sessions in the batch of what ended them; give the returned ids to `hubs.account(id).endSessions`. */
export function endSessionsOf(db: Db, { accountId, ramId }: SessionsOf, now: number) {
  const whose = ramId === undefined ? undefined : ramId === null ? isNull(sessions.ramId) : eq(sessions.ramId, ramId)
  return db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.accountId, accountId), whose, isNull(sessions.endedAt)))
    .returning({ id: sessions.id })
}

/** What is stored of a token link. */
export const tokenLinkHash = (secret: string, token: string): Promise<string> => hmac(secret, `token-link:${token}`)

export const insertTokenLink = (db: Db, row: typeof tokenLinks.$inferInsert) => db.insert(tokenLinks).values(row)

/** Uses a token link up, or refuses one that is unknown, used or too old, or whose account is disabled. */
export const useTokenLink = (db: Db, tokenHash: string, now: number) =>
  [
    guard(
      db,
      sql`exists (select 1 from token_links where token_hash = ${tokenHash} and used_at is null and expires_at > ${now})`,
      violation('LINK_BAD'),
    ),
    guard(
      db,
      sql`exists (select 1 from accounts where id = ${tokenLinkOwner(tokenHash)} and status = 1)`,
      violation('ACCOUNT_DISABLED'),
    ),
    db.update(tokenLinks).set({ usedAt: now }).where(eq(tokenLinks.tokenHash, tokenHash)),
  ] as const

export const tokenLinkOwner = (tokenHash: string): SQL =>
  sql`(select account_id from token_links where token_hash = ${tokenHash})`

export const usernameOf = (accountId: SQL): SQL => sql`(select username from accounts where id = ${accountId})`

export const userOfTokenLink = (db: Db, tokenHash: string) =>
  selectUser(db, sql`${accounts.id} = ${tokenLinkOwner(tokenHash)}`, false)
