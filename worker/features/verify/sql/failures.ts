import { type SQL, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { attemptCount, recordAttempt, undoAttempt } from '#db/rate-limit.ts'
import { FAILURE_WORK } from '#contract/verify/limits.ts'
import type { Failures } from '#domain/verify/proof-of-work.ts'

/*
 * Counters of visitors' failed calls: sign-in, recovery and registration alike. They refuse nobody: beyond a limit a call
 * needs proof of work (domain/verify/proof-of-work.ts).
 */

const ADDRESS_MS = FAILURE_WORK.addressMinutes * 60_000
const ACCOUNT_MS = FAILURE_WORK.accountHours * 3_600_000

export interface Origin {
  readonly ipBlock: string
  readonly ipWideBlock: string
}
const keyOf = (block: string): string => `failures:${block}`

/** True if the address belongs to a larger block with its own count: the /48 of IPv6. */
export const hasWideBlock = ({ ipBlock, ipWideBlock }: Origin): boolean => ipBlock !== ipWideBlock

/** Failures of an address, its wide block, and an account; `account` is the counter's key of the named account. */
export const selectFailures = (db: Db, { ipBlock, ipWideBlock }: Origin, now: number, account: SQL | string = '') =>
  db.all<[number, number, number]>(sql`
    select ${attemptCount(keyOf(ipBlock), now)} as address, ${attemptCount(keyOf(ipWideBlock), now)} as wide_block,
      ${attemptCount(account, now)} as account`)

/** Refuses the batch without the work that the counters require; then nothing is counted, and the captcha stays valid. */
export const guardWork = (
  db: Db,
  account: SQL | string,
  { ipBlock, ipWideBlock }: Origin,
  allowed: Failures,
  now: number,
) =>
  guard(
    db,
    sql`${attemptCount(keyOf(ipBlock), now)} < ${allowed.address}
      and ${attemptCount(keyOf(ipWideBlock), now)} < ${allowed.wideBlock} and ${attemptCount(account, now)} < ${allowed.account}`,
    violation('WORK_REQUIRED'),
  )

/** Counts one failure of the address, unless the condition holds. */
export const recordAddressFailure = (db: Db, origin: Origin, now: number, unless: SQL = sql`false`) => ({
  byAddress: recordAttempt(db, keyOf(origin.ipBlock), ADDRESS_MS, now, sql`not (${unless})`),
  byWideBlock:
    hasWideBlock(origin) && recordAttempt(db, keyOf(origin.ipWideBlock), ADDRESS_MS, now, sql`not (${unless})`),
})

export const undoAddressFailure = (db: Db, origin: Origin) => ({
  byAddress: undoAttempt(db, keyOf(origin.ipBlock)),
  byWideBlock: hasWideBlock(origin) && undoAttempt(db, keyOf(origin.ipWideBlock)),
})

/** Counts one failure of the named account, unless the condition holds. */
export const recordAccountFailure = (db: Db, account: SQL | string, now: number, unless: SQL) =>
  recordAttempt(db, account, ACCOUNT_MS, now, sql`not (${unless})`)
