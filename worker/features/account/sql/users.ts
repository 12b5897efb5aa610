import { type SQL, and, desc, eq, or, sql, asc } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Session } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { accounts, ramAccounts, ramRoles, recoveries, totpFactors } from '#db/schema/accounts.ts'
import type { LoginName } from '#domain/account/login-name.ts'
import { countUnread } from '#features/message/sql.ts'

/* Statements on users (main account or sub-account): finding one, contacts, profile and second factor. */

export const selectProfile = (db: Db, accountId: number) =>
  db
    .select({
      account: accounts.username,
      nickname: accounts.nickname,
      birthday: accounts.birthday,
      industry: accounts.industry,
      occupation: accounts.occupation,
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))

/** Refuses the batch if another session has bound a contact meanwhile; the caller then needs the identity step. */
export const guardNoContact = (db: Db, accountId: number) =>
  guard(
    db,
    sql`exists (select 1 from accounts where id = ${accountId} and phone is null and email is null)`,
    violation('IDENTITY_REQUIRED'),
  )

/** Deletes recoveries that were begun with the former contacts and password. */
export const deleteRecoveries = (db: Db, accountId: number) =>
  db.delete(recoveries).where(eq(recoveries.accountId, accountId))

const userColumns = {
  accountId: accounts.id,
  hub: accounts.hub,
  host: accounts.host,
  username: accounts.username,
  nickname: accounts.nickname,
  password: accounts.password,
  areaCode: accounts.areaCode,
  phone: accounts.phone,
  email: accounts.email,
  sign: accounts.sign,
  ramDomain: accounts.ramDomain,
  birthday: accounts.birthday,
  industry: accounts.industry,
  occupation: accounts.occupation,
  status: accounts.status,
  quagga: accounts.quagga,
  quaggaAdvanced: accounts.quaggaAdvanced,
  defaultRoute: accounts.defaultRoute,
  softwareAuthSource: accounts.softwareAuthSource,
  unread: countUnread({
    accountId: sql`${accounts.id}`,
    person: sql`coalesce('ram:' || ${ramAccounts.id}, 'main:' || ${accounts.id})`,
    networks: sql`${ramRoles.networks}`,
  }).as('unread'),
  ramId: sql<number | null>`${ramAccounts.id}`.as('ram_id'),
  ramUsername: sql<string | null>`${ramAccounts.username}`.as('ram_username'),
  ramNickname: sql<string | null>`${ramAccounts.nickname}`.as('ram_nickname'),
  ramPassword: sql<string | null>`${ramAccounts.password}`.as('ram_password'),
  ramStatus: sql<number | null>`${ramAccounts.status}`.as('ram_status'),
  hasTotp: sql<number>`exists (select 1 from totp_factors
    where person = coalesce('ram:' || ${ramAccounts.id}, 'main:' || ${accounts.id}))`.as('has_totp'),
  ramTotpRequired: accounts.ramTotpRequired,
  flags: ramRoles.flags,
  networks: ramRoles.networks,
}

/** Id of no row. A constant condition instead would read every sub-account. */
const NO_ID = 0

/** Rows of `User` (domain/account/user.ts). `ram` picks the sub-account; `false` means the main account itself. */
function selectUser(db: Db, account: SQL | undefined, ram: SQL | false) {
  return db
    .select(userColumns)
    .from(accounts)
    .leftJoin(ramAccounts, and(eq(ramAccounts.accountId, accounts.id), ram || eq(ramAccounts.id, NO_ID)))
    .leftJoin(ramRoles, eq(ramRoles.id, ramAccounts.roleId))
    .where(account)
}

export const selectUserById = (db: Db, accountId: number, ramId: number | null) =>
  selectUser(db, eq(accounts.id, accountId), ramId !== null && eq(ramAccounts.id, ramId))

/** By username, e-mail or phone. A verified phone wins over a username of the same digits. */
export function selectUserByLoginName(db: Db, { text, phone }: LoginName) {
  const isPhone = phone && and(eq(accounts.areaCode, phone.areaCode), eq(accounts.phone, phone.number))
  const isNamed = or(eq(accounts.username, text), eq(accounts.email, text), ...(isPhone ? [isPhone] : []))
  return selectUser(db, isNamed, false)
    .orderBy(...(isPhone ? [desc(isPhone)] : []))
    .limit(1)
}

/** Subquery for the id; null if no account has that name. */
export const userIdSql = (db: Db, name: LoginName): SQL =>
  sql`(select id from (${selectUserByLoginName(db, name).getSQL()}))`

export const selectUserByRamName = (db: Db, name: string, domain: string) =>
  selectUser(
    db,
    and(eq(accounts.ramDomain, domain), sql`${ramAccounts.id} is not null`),
    eq(ramAccounts.username, name),
  ).limit(1)

export const selectUserOfSession = (db: Db, id: string) =>
  selectUser(
    db,
    sql`${accounts.id} = (select account_id from sessions where id = ${id})`,
    sql`${ramAccounts.id} = (select ram_id from sessions where id = ${id})`,
  )

export const selectUserOfTokenLink = (db: Db, tokenHash: string) =>
  selectUser(db, sql`${accounts.id} = (select account_id from token_links where token_hash = ${tokenHash})`, false)

export const selectUserOfLoginTicket = (db: Db, ticketHash: string) =>
  selectUser(
    db,
    sql`${accounts.id} = (select account_id from login_tickets where ticket_hash = ${ticketHash})`,
    sql`${ramAccounts.id} = (select ram_id from login_tickets where ticket_hash = ${ticketHash})`,
  )

/** `password` is the stored hash. */
type Credential = Pick<Session, 'accountId' | 'ramId'> & { readonly password: string }

/** Guard condition: the verified password is unchanged and its owner still enabled. */
export const isCredentialValid = ({ accountId, ramId, password }: Credential): SQL =>
  ramId === null
    ? sql`exists (select 1 from accounts where id = ${accountId} and password = ${password} and status = 1)`
    : sql`exists (select 1 from ram_accounts join accounts on accounts.id = ram_accounts.account_id
        where ram_accounts.id = ${ramId} and ram_accounts.account_id = ${accountId}
        and ram_accounts.password = ${password} and ram_accounts.status = 1 and accounts.status = 1)`

export const selectRamTotpRequired = (db: Db, accountId: number) =>
  db.select({ required: accounts.ramTotpRequired }).from(accounts).where(eq(accounts.id, accountId))

const ramFactor = and(
  eq(totpFactors.accountId, ramAccounts.accountId),
  eq(totpFactors.person, sql`'ram:' || ${ramAccounts.id}`),
)

export const selectRamFactors = (db: Db, accountId: number) =>
  db
    .select({
      ramId: ramAccounts.id,
      username: ramAccounts.username,
      nickname: ramAccounts.nickname,
      ramDomain: accounts.ramDomain,
      enrolledAt: totpFactors.enrolledAt,
    })
    .from(ramAccounts)
    .innerJoin(accounts, eq(accounts.id, ramAccounts.accountId))
    .leftJoin(totpFactors, ramFactor)
    .where(eq(ramAccounts.accountId, accountId))
    .orderBy(asc(ramAccounts.username))
