import { type SQL, and, eq, sql } from 'drizzle-orm'
import { violation } from '../../contract/errors.ts'
import { ACTIVATION_GUARD, ROUTER_TYPE } from '../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { guard, refusalBySql } from '../../db/guard.ts'
import { attempts } from '../../db/schema/accounts.ts'
import { routers } from '../../db/schema/members.ts'
import { countAttempt } from '../login/queries.ts'
import { quotaOf } from '../network/queries.ts'

// ---- hardware: everything about one typed activation code happens in one batch, so guesses at once cannot pass uncounted

/** A device as somebody claims it: the serial they typed and what the code they typed hashes to. */
export interface Claim {
  readonly accountId: number
  readonly serial: string
  readonly hash: string
}

const activationKey = (accountId: number) => `activation:${accountId}`

/** The code belongs to the serial. The hash is keyed, so that comparing it in SQL tells nothing by its time. */
export const isClaimRight = ({ serial, hash }: Claim): SQL =>
  sql`exists (select 1 from devices where serial = ${serial} and activation_hash = ${hash})`

/** The serial as it is printed. */
export const serialOf = ({ serial }: Claim): SQL => sql`(select serial from devices where serial = ${serial})`

/** Refuses every code, also a right one, after too many wrong ones. */
export function guardActivations(db: Db, { accountId }: Claim, now: number) {
  const pause = sql`from attempts
    where key = ${activationKey(accountId)} and count >= ${ACTIVATION_GUARD.failures} and window_end > ${now}`
  const seconds = sql`(select cast((window_end - ${now} + 999) / 1000 as integer) ${pause})`
  return guard(db, sql`not exists (select 1 ${pause})`, refusalBySql('TOO_OFTEN', { retry_after: seconds }))
}

export const countWrongCode = (db: Db, claim: Claim, now: number) =>
  countAttempt(
    db,
    activationKey(claim.accountId),
    ACTIVATION_GUARD.pauseMinutes * 60_000,
    now,
    sql`not ${isClaimRight(claim)}`,
  )

export const forgetWrongCodes = (db: Db, claim: Claim) =>
  db.delete(attempts).where(and(eq(attempts.key, activationKey(claim.accountId)), isClaimRight(claim)))

/** Makes the device a member, named by its serial: [name], or no row where the code is wrong. Fails on UNIQUE where it is claimed. */
export const insertClaimed = (db: Db, claim: Claim, note: string, now: number) =>
  db.all<[string]>(sql`
    insert into routers (account_id, name, router_type, device_id, note, created_at)
    select ${claim.accountId}, serial, ${ROUTER_TYPE.hardware}, id, ${note}, ${now}
    from devices where serial = ${claim.serial} and ${isClaimRight(claim)}
    returning name`)

// ---- software

export const insertRouter = (db: Db, row: typeof routers.$inferInsert) => db.insert(routers).values(row)

const hasPhone = (accountId: number, areaCode: string, phone: string) =>
  and(eq(routers.accountId, accountId), eq(routers.areaCode, areaCode), eq(routers.phone, phone))

export const withPhone = (db: Db, accountId: number, areaCode: string, phone: string) =>
  db
    .select({ id: routers.id })
    .from(routers)
    .where(hasPhone(accountId, areaCode, phone))
    .limit(1)

/** Stands before the insert: no other member got this phone meanwhile. */
export const guardPhoneFree = (db: Db, accountId: number, areaCode: string, phone: string) =>
  guard(
    db,
    sql`not exists (select 1 from routers where ${hasPhone(accountId, areaCode, phone)})`,
    violation('PHONE_MUST_VERIFY'),
  )

/** Stands after the insert: the quota holds. */
export const guardSoftwareRoom = (db: Db, accountId: number, max: number, now: number) =>
  guard(
    db,
    sql`(select count(*) from routers where account_id = ${accountId} and router_type = ${ROUTER_TYPE.software})
      <= ${quotaOf(accountId, 'software_member', now)}`,
    violation('SOFTWARE_LIMIT_REACHED', { limit: max }),
  )

/** The suffix is still the one in the new name. */
export const guardSign = (db: Db, accountId: number, sign: string) =>
  guard(db, sql`exists (select 1 from accounts where id = ${accountId} and sign = ${sign})`, violation('SIGN_REQUIRED'))
