import { type SQL, and, eq, sql } from 'drizzle-orm'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import { ACTIVATION_GUARD, ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { deleteAttempts, recordAttempt, selectAttempts } from '#db/rate-limit.ts'
import { devices, routers } from '#db/schema/routers.ts'
import type { FileMember } from '#domain/router/member-file.ts'

/* Statements that add members: claim of a device, new software members, taken names and phones. */

/** Those of the typed user names that are taken under the account's suffix. */
export const selectUsernamesTaken = (db: Db, accountId: number, usernames: readonly string[]) =>
  db.all<[string]>(sql`
    select typed.value from json_each(${JSON.stringify([...new Set(usernames)])}) typed
    join accounts on accounts.id = ${accountId}
    join routers on routers.name = typed.value || '@' || accounts.sign`)

interface Phone {
  readonly areaCode: string
  readonly phone: string
}

const phoneList = (phones: readonly Phone[]) =>
  JSON.stringify(phones.map(({ areaCode, phone }) => ({ areaCode: areaCode || DIAL_CODE_DEFAULT, phone })))

export const selectPhonesTaken = (db: Db, accountId: number, phones: readonly Phone[]) =>
  db.all<[string, string]>(sql`
    select distinct r.area_code, r.phone from json_each(${phoneList(phones.filter(({ phone }) => phone !== ''))}) p
    join routers r on r.account_id = ${accountId} and r.area_code = p.value ->> 'areaCode' and r.phone = p.value ->> 'phone'`)

/** Guard before the insert: no other member has got one of these phones meanwhile. */
export const guardPhonesFree = (db: Db, accountId: number, phones: readonly Phone[]) =>
  guard(
    db,
    sql`not exists (select 1 from json_each(${phoneList(phones)}) p join routers r on r.account_id = ${accountId}
      and r.area_code = p.value ->> 'areaCode' and r.phone = p.value ->> 'phone')`,
    violation('MEMBERS_CHANGED'),
  )

type SealedMember = FileMember & { readonly hub: string; readonly sealed: string }

/** Inserts members of a file. No password matches the empty hash; the sealed one counts until it is hashed. */
export const insertSoftware = (db: Db, accountId: number, members: readonly SealedMember[], now: number) =>
  db.run(sql`
    insert into routers
      (account_id, name, router_type, note, password, password_sealed, area_code, phone, source, hub, uid, created_at)
    select ${accountId}, value ->> 'name', ${ROUTER_TYPE.software}, value ->> 'note', '', value ->> 'sealed',
      value ->> 'areaCode', nullif(value ->> 'phone', ''), 'batch', value ->> 'hub', value ->> 'hub', ${now}
    from json_each(${JSON.stringify(
      members.map(({ name, note, sealed, areaCode, phone, hub }) => ({ name, note, sealed, areaCode, phone, hub })),
    )}) order by key`)

/** Names for `isRouterNamed`: a typed name without a suffix gets the account's. */
export const withSuffix = (accountId: number, names: readonly string[]) =>
  sql`(select case when instr(value, '@') > 0 then value
    else value || '@' || (select sign from accounts where id = ${accountId}) end
    from json_each(${JSON.stringify(names)}))`

export interface Claim {
  readonly accountId: number
  /** Sub-account that claims the device; null for the main account. Guesses are counted for each person. */
  readonly ramId: number | null
  readonly serial: string
  readonly hash: string
}

const activationKey = ({ accountId, ramId }: Claim) => `activation:${accountId}:${ramId ?? 'main'}`

/** Condition: the code is right. The hash is keyed, so its comparison in SQL leaks nothing through timing. */
const isRight = ({ serial, hash }: Claim): SQL =>
  sql`exists (select 1 from devices where serial = ${serial} and activation_hash = ${hash})`

/** Number of wrong codes. Runs before `recordWrongCode`, so that parallel guesses are all counted. */
export const selectWrongCodes = (db: Db, claim: Claim, now: number) => selectAttempts(db, activationKey(claim), now)

export const recordWrongCode = (db: Db, claim: Claim, now: number) =>
  recordAttempt(db, activationKey(claim), ACTIVATION_GUARD.pauseMinutes * 60_000, now, sql`not ${isRight(claim)}`)

export const deleteWrongCodes = (db: Db, claim: Claim) => deleteAttempts(db, activationKey(claim))

/** Device of a claim, with its printed serial; no row if the code is wrong. */
export const selectClaimed = (db: Db, { serial, hash }: Claim) =>
  db
    .select({ id: devices.id, serial: devices.serial })
    .from(devices)
    .where(and(eq(devices.serial, serial), eq(devices.activationHash, hash)))

/** Guard: the operator has not reset the code meanwhile. */
export const guardClaim = (db: Db, claim: Claim) => guard(db, isRight(claim), violation('DEVICE_UNKNOWN'))

export const insertRouter = (db: Db, row: typeof routers.$inferInsert & { readonly hub: string }) =>
  db.insert(routers).values({ ...row, uid: row.hub })

const hasPhone = (accountId: number, areaCode: string, phone: string) =>
  and(eq(routers.accountId, accountId), eq(routers.areaCode, areaCode), eq(routers.phone, phone))

export const selectWithPhone = (db: Db, accountId: number, areaCode: string, phone: string) =>
  db
    .select({ id: routers.id })
    .from(routers)
    .where(hasPhone(accountId, areaCode, phone))
    .limit(1)

/** Software member of any account with this user name under the account's suffix. */
export const selectSoftwareNamed = (db: Db, accountId: number, username: string) =>
  db
    .select({ id: routers.id })
    .from(routers)
    .where(sql`${routers.name} = ${username} || '@' || (select sign from accounts where id = ${accountId})`)

/** Guard before the insert: no other member has got this phone meanwhile. */
export const guardPhoneFree = (db: Db, accountId: number, areaCode: string, phone: string) =>
  guard(
    db,
    sql`not exists (select 1 from routers where ${hasPhone(accountId, areaCode, phone)})`,
    violation('PHONE_MUST_VERIFY'),
  )
