import { type SQL, and, count, desc, eq, sql } from 'drizzle-orm'
import type { UserInfo } from '../../contract/account.ts'
import { violation } from '../../contract/errors.ts'
import { toWireBoolean } from '../../contract/fields.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import { PERMISSIONS, type Permission, type Grants } from '../../contract/permissions.ts'
import type { Db } from '../../db/client.ts'
import { accounts, ramAccounts, ramRoles, services } from '../../db/schema/accounts.ts'
import { routers } from '../../db/schema/members.ts'
import { maskEmail, maskPhone } from '../../domain/account/mask.ts'

const userColumns = {
  accountId: accounts.id,
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
  unread: sql<number>`(select count(*) from messages where account_id = ${accounts.id} and status = 0)`.as('unread'),
  ramId: sql<number | null>`${ramAccounts.id}`.as('ram_id'),
  ramUsername: sql<string | null>`${ramAccounts.username}`.as('ram_username'),
  ramNickname: sql<string | null>`${ramAccounts.nickname}`.as('ram_nickname'),
  ramPassword: sql<string | null>`${ramAccounts.password}`.as('ram_password'),
  ramStatus: sql<number | null>`${ramAccounts.status}`.as('ram_status'),
  flags: ramRoles.flags,
  networks: ramRoles.networks,
}

/** One person who may sign in: a main account, or a sub-account with the account it belongs to (`ramId` not null). */
export type User = Awaited<ReturnType<typeof selectUser>>[number]

/** @param ram picks the sub-account of the account; `false` for the main account itself. */
export function selectUser(db: Db, account: SQL | undefined, ram: SQL | false) {
  return db
    .select(userColumns)
    .from(accounts)
    .leftJoin(ramAccounts, and(eq(ramAccounts.accountId, accounts.id), ram || sql`0`))
    .leftJoin(ramRoles, eq(ramRoles.id, ramAccounts.roleId))
    .where(account)
}

export const userById = (db: Db, accountId: number, ramId: number | null) =>
  selectUser(db, eq(accounts.id, accountId), ramId !== null && eq(ramAccounts.id, ramId))

export function grantsOf(user: User): Grants {
  if (user.ramId === null) return { kind: 'main', flags: PERMISSIONS, networks: null }
  const held = new Set<string>(JSON.parse(user.flags ?? '[]'))
  return {
    kind: 'ram',
    flags: PERMISSIONS.filter((flag): flag is Permission => held.has(flag)),
    networks: user.networks === null ? null : (JSON.parse(user.networks) as string[]),
  }
}

export const isEnabled = (user: User): boolean => user.status === 1 && (user.ramId === null || user.ramStatus === 1)

/** Sign-in name as it is shown and logged. */
export const loginNameOf = (user: User): string =>
  user.ramId === null ? user.username : `${user.ramUsername}@${user.ramDomain}`

export function userInfoOf(user: User): UserInfo {
  const grants = grantsOf(user)
  return {
    ...personOf(user),
    username: loginNameOf(user),
    message_count: user.unread,
    ram: user.ramId === null ? 0 : 1,
    sign: user.sign ?? '',
    config: { software_auth_source: toWireBoolean(user.softwareAuthSource) },
    auth: {
      quagga: toWireBoolean(user.quagga),
      quagga_advanced: toWireBoolean(user.quaggaAdvanced),
      default_route: toWireBoolean(user.defaultRoute),
    },
    flags: [...grants.flags],
    networks: grants.networks && [...grants.networks],
  }
}

/** A sub-account sees its own name, and nothing of the person who holds the account. */
function personOf(user: User) {
  if (user.ramId !== null) {
    const nickname = user.ramNickname ?? ''
    return { nickname, birthday: '', industry: '', occupation: '', user_phone: '', user_email: '' }
  }
  return {
    nickname: user.nickname,
    birthday: user.birthday ?? '',
    industry: user.industry ?? '',
    occupation: user.occupation ?? '',
    user_phone: maskPhone(user.areaCode, user.phone),
    user_email: maskEmail(user.email),
  }
}

/** Its user name is also the suffix of its sub-accounts: `name@username`. */
export const insertAccount = (db: Db, row: Omit<typeof accounts.$inferInsert, 'ramDomain'>) =>
  db
    .insert(accounts)
    .values({ ...row, ramDomain: row.username })
    .returning({ id: accounts.id })

/** What `refusingTaken` needs where an account is made. */
export const USERNAME_TAKEN = {
  'accounts.username': violation('USERNAME_TAKEN'),
  'accounts.ram_domain': violation('USERNAME_TAKEN'),
}

export const setPassword = (db: Db, accountId: number, password: string) =>
  db.update(accounts).set({ password }).where(eq(accounts.id, accountId))

export const pageOfServices = (db: Db, accountId: number, page: number, limit: number) =>
  db
    .select()
    .from(services)
    .where(eq(services.accountId, accountId))
    .orderBy(desc(services.id))
    .limit(limit)
    .offset((page - 1) * limit)

export const countServices = (db: Db, accountId: number) =>
  db.select({ total: count() }).from(services).where(eq(services.accountId, accountId))

/** The id of an account that is made in the same batch. */
export const accountIdNamed = (username: string): SQL => sql`(select id from accounts where username = ${username})`

const softwareOf = (accountId: number): SQL =>
  sql`routers where account_id = ${accountId} and router_type = ${ROUTER_TYPE.software}`

/** Networks whose members are shown by a name that ends in the account's suffix. */
export const networksWithSoftware = (db: Db, accountId: number) =>
  db.all<[number]>(sql`
    select distinct network_id from network_members
    where router_id in (select id from ${softwareOf(accountId)})`)

/** The suffix that stands, or null. */
export const signOf = (accountId: number): SQL => sql`(select sign from accounts where id = ${accountId})`

/** The suffix is another one than the given, also where only the case differs. */
export const isOtherSign = (accountId: number, sign: string): SQL =>
  sql`exists (select 1 from accounts where id = ${accountId} and sign collate binary is not ${sign})`

/** Audit message of a new suffix, in front of the change. */
export const signChange = (accountId: number): SQL => sql`(
  select case count(*) when 0 then '设置账号后缀' else '修改账号后缀，' || count(*) || '个软件成员随之改名' end
  from ${softwareOf(accountId)})`

/** Answers a row where the suffix was another one. */
export const setSign = (db: Db, accountId: number, sign: string) =>
  db
    .update(accounts)
    .set({ sign })
    .where(and(eq(accounts.id, accountId), isOtherSign(accountId, sign)))
    .returning({ id: accounts.id })

/** `name@old` becomes `name@new` for every software member. */
export const renameSoftware = (db: Db, accountId: number, sign: string) =>
  db
    .update(routers)
    .set({ name: sql`substr(${routers.name}, 1, instr(${routers.name}, '@')) || ${sign}` })
    .where(and(eq(routers.accountId, accountId), eq(routers.routerType, ROUTER_TYPE.software)))
    .returning({ id: routers.id })
