import { type SQL, and, eq, sql } from 'drizzle-orm'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import { ACTIVATION_GUARD, ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { deleteAttempts, recordAttempt, selectAttempts } from '#db/rate-limit.ts'
import { devices, routers } from '#db/schema/routers.ts'
import type { FileMember } from '#domain/router/member-file.ts'

// ---- hardware

/** Taken names among these user names, under the account's suffix; as they were typed. */
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

/** Stands before the insert: no other member got one of these phones meanwhile. */
export const guardPhonesFree = (db: Db, accountId: number, phones: readonly Phone[]) =>
  guard(
    db,
    sql`not exists (select 1 from json_each(${phoneList(phones)}) p join routers r on r.account_id = ${accountId}
      and r.area_code = p.value ->> 'areaCode' and r.phone = p.value ->> 'phone')`,
    violation('MEMBERS_CHANGED'),
  )

type SealedMember = FileMember & { readonly hub: string; readonly sealed: string }

/** The empty hash fits no password: the sealed one counts until it is hashed. */
export const insertSoftware = (db: Db, accountId: number, members: readonly SealedMember[], now: number) =>
  db.run(sql`
    insert into routers
      (account_id, name, router_type, note, password, password_sealed, area_code, phone, source, hub, created_at)
    select ${accountId}, value ->> 'name', ${ROUTER_TYPE.software}, value ->> 'note', '', value ->> 'sealed',
      value ->> 'areaCode', nullif(value ->> 'phone', ''), 'batch', value ->> 'hub', ${now}
    from json_each(${JSON.stringify(
      members.map(({ name, note, sealed, areaCode, phone, hub }) => ({ name, note, sealed, areaCode, phone, hub })),
    )}) order by key`)

/** Names as they were typed: one without a suffix has the account's. For `isRouterNamed`. */
export const withSuffix = (accountId: number, names: readonly string[]) =>
  sql`(select case when instr(value, '@') > 0 then value
    else value || '@' || (select sign from accounts where id = ${accountId}) end
    from json_each(${JSON.stringify(names)}))`

export interface Claim {
  readonly accountId: number
  /** Sub-account that claims the device; null for the main account itself. Nobody's guesses pause a colleague. */
  readonly ramId: number | null
  readonly serial: string
  readonly hash: string
}

const activationKey = ({ accountId, ramId }: Claim) => `activation:${accountId}:${ramId ?? 'main'}`

/** The hash is keyed, so comparing it in SQL leaks nothing through timing. */
const isRight = ({ serial, hash }: Claim): SQL =>
  sql`exists (select 1 from devices where serial = ${serial} and activation_hash = ${hash})`

/** Wrong codes so far; read in front of `recordWrongCode`, so that guesses at once cannot pass uncounted. */
export const selectWrongCodes = (db: Db, claim: Claim, now: number) => selectAttempts(db, activationKey(claim), now)

export const recordWrongCode = (db: Db, claim: Claim, now: number) =>
  recordAttempt(db, activationKey(claim), ACTIVATION_GUARD.pauseMinutes * 60_000, now, sql`not ${isRight(claim)}`)

export const deleteWrongCodes = (db: Db, claim: Claim) => deleteAttempts(db, activationKey(claim))

/** The device, with its serial as it is printed; no row where the code is wrong. */
export const selectClaimed = (db: Db, { serial, hash }: Claim) =>
  db
    .select({ id: devices.id, serial: devices.serial })
    .from(devices)
    .where(and(eq(devices.serial, serial), eq(devices.activationHash, hash)))

/** The operator has not reset the code meanwhile. */
export const guardClaim = (db: Db, claim: Claim) => guard(db, isRight(claim), violation('DEVICE_UNKNOWN'))

// ---- both

export const insertRouter = (db: Db, row: typeof routers.$inferInsert & { readonly hub: string }) =>
  db.insert(routers).values(row)

// ---- software

const hasPhone = (accountId: number, areaCode: string, phone: string) =>
  and(eq(routers.accountId, accountId), eq(routers.areaCode, areaCode), eq(routers.phone, phone))

export const selectWithPhone = (db: Db, accountId: number, areaCode: string, phone: string) =>
  db
    .select({ id: routers.id })
    .from(routers)
    .where(hasPhone(accountId, areaCode, phone))
    .limit(1)

/** Software member of any account with the name that this user name gives under the account's suffix. */
export const selectSoftwareNamed = (db: Db, accountId: number, username: string) =>
  db
    .select({ id: routers.id })
    .from(routers)
    .where(sql`${routers.name} = ${username} || '@' || (select sign from accounts where id = ${accountId})`)

/** Stands before the insert: no other member got this phone meanwhile. */
export const guardPhoneFree = (db: Db, accountId: number, areaCode: string, phone: string) =>
  guard(
    db,
    sql`not exists (select 1 from routers where ${hasPhone(accountId, areaCode, phone)})`,
    violation('PHONE_MUST_VERIFY'),
  )
