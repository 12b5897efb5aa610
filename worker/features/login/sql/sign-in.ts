import { type SQL, and, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import { SIGN_IN_ORIGINS, LOGIN_TICKET } from '#contract/login/limits.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { ramAccounts, tokenLinks, loginTickets } from '#db/schema/accounts.ts'
import type { LoginName, RamName } from '#domain/account/login-name.ts'

/* Statements of a sign-in: known devices and places, token links, keys of counters, and login tickets. */

type Kind = 'device' | 'place'

/** Devices and places of a person (an expression for 'main:1'), the latest first. */
export const selectSignInOrigins = (db: Db, person: SQL) =>
  db.all<[Kind, string]>(sql`
    select kind, value from sign_in_origins where person = ${person} order by seen_at desc limit ${SIGN_IN_ORIGINS.max}`)

interface SeenOrigins {
  /** SQL finds an account that the same batch inserts, and its person. */
  readonly accountId: number | SQL
  readonly ramId: number | null
  readonly person: string | SQL
  readonly origins: readonly (readonly [Kind, string])[]
}

export const upsertSignInOrigins = (db: Db, { accountId, ramId, person, origins }: SeenOrigins, now: number) =>
  db.run(sql`
    insert into sign_in_origins (account_id, ram_id, person, kind, value, seen_at)
    select ${accountId}, ${ramId}, ${person}, value ->> 0, value ->> 1, ${now} from json_each(${JSON.stringify(origins)})
    where true on conflict (person, kind, value) do update set seen_at = excluded.seen_at`)

export const updateRamLogin = (db: Db, accountId: number, ramId: number, now: number) =>
  db
    .update(ramAccounts)
    .set({ loginAt: now })
    .where(and(eq(ramAccounts.accountId, accountId), eq(ramAccounts.id, ramId)))

/** Key of the main account that a link signs in to. */
export const personOfTokenLink = (tokenHash: string): SQL =>
  sql`(select 'main:' || account_id from token_links where token_hash = ${tokenHash})`

export const selectTokenLink = (db: Db, tokenHash: string) =>
  db.select().from(tokenLinks).where(eq(tokenLinks.tokenHash, tokenHash))

/** Refuses the batch if a parallel call has used the link. Runs before `consumeTokenLink`. */
export const guardTokenLinkUnused = (db: Db, tokenHash: string) =>
  guard(
    db,
    sql`exists (select 1 from token_links where token_hash = ${tokenHash} and used_at is null)`,
    violation('LINK_BAD'),
  )

export const consumeTokenLink = (db: Db, tokenHash: string, now: number) =>
  db.update(tokenLinks).set({ usedAt: now }).where(eq(tokenLinks.tokenHash, tokenHash))

/**
 * Key of a typed name for the counters of failures: the person, so that all its names count together, or else `unknown`, a
 * hash of the normalised name. A verified phone wins, as in `selectUserByLoginName`.
 */
export function mainAccountKey({ text, phone }: LoginName, unknown: string): SQL {
  const isNamed = sql`username = ${text} or email = ${text}`
  const isPhone = phone && sql`(area_code = ${phone.areaCode} and phone = ${phone.number})`
  const found = isPhone ? sql`${isNamed} or ${isPhone} order by ${isPhone} desc` : isNamed
  const id = sql`(select id from accounts where ${found} limit 1)`
  return sql`coalesce('main:' || ${id}, ${`main?${unknown}`})`
}

/** Key of a typed `name@suffix` for the counters of failures. */
export function subAccountKey({ name, domain }: RamName, unknown: string): SQL {
  const id = sql`(select ram_accounts.id from accounts join ram_accounts on ram_accounts.account_id = accounts.id
    where accounts.ram_domain = ${domain} and ram_accounts.username = ${name})`
  return sql`coalesce('ram:' || ${id}, ${`ram?${unknown}`})`
}

/**
 * Stores a login ticket: the password or link was right, and the second factor or its set-up is missing. The ticket is the
 * only key, because nobody is signed in.
 */
export const insertLoginTicket = (
  db: Db,
  row: Omit<typeof loginTickets.$inferInsert, 'tries' | 'expiresAt' | 'usedAt'>,
  now: number,
) => db.insert(loginTickets).values({ ...row, expiresAt: now + LOGIN_TICKET.minutes[row.purpose] * 60_000 })

/** Key of the person for whom a ticket was issued. */
export const personOfTicket = (hash: string): SQL => sql`(select person from login_tickets where ticket_hash = ${hash})`

const isOpen = (hash: string, now: number): SQL => sql`ticket_hash = ${hash} and used_at is null
  and tries < ${LOGIN_TICKET.tries} and expires_at > ${now}`

/** Condition: a try with this ticket would count. */
export const isTicketOpen = (hash: string, now: number): SQL =>
  sql`exists (select 1 from login_tickets where ${isOpen(hash, now)})`

const columns = {
  purpose: loginTickets.purpose,
  way: loginTickets.way,
  person: loginTickets.person,
  accountId: loginTickets.accountId,
  credential: loginTickets.credential,
  tries: loginTickets.tries,
}

export const selectLoginTicket = (db: Db, hash: string, now: number) =>
  db.select(columns).from(loginTickets).where(isOpen(hash, now))

/** Counts a try before it is checked: of many parallel tries exactly five go on. No row for a ticket that is not open. */
export const recordTicketTry = (db: Db, hash: string, now: number) =>
  db
    .update(loginTickets)
    .set({ tries: sql`${loginTickets.tries} + 1` })
    .where(isOpen(hash, now))
    .returning(columns)

/** Uses up the ticket. Refuses the batch if a parallel call has used it. */
export const consumeLoginTicket = (db: Db, accountId: number, hash: string, now: number) => ({
  openTicket: guard(
    db,
    sql`exists (select 1 from login_tickets where ticket_hash = ${hash} and used_at is null and expires_at > ${now})`,
    violation('LOGIN_TICKET_BAD'),
  ),
  ticket: db
    .update(loginTickets)
    .set({ usedAt: now })
    .where(and(eq(loginTickets.ticketHash, hash), eq(loginTickets.accountId, accountId))),
})
