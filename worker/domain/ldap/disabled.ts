import type { Attributes } from './attributes.ts'

const ACCOUNT_DISABLED = 0x2 // bit of userAccountControl
const NEVER = new Set(['', '0', '9223372036854775807']) // values of accountExpires
const FILETIME_TO_UNIX_MS = 11_644_473_600_000n
const DAY_MS = 86_400_000

/** True for a user whom the directory disabled or whose account expired; a temporary lock-out after wrong passwords is neither. */
export function isEntryDisabled(attributes: Attributes, now: number): boolean {
  const first = (name: string) => attributes.get(name)?.[0]?.trim() ?? ''
  return (
    isControlDisabled(first('useraccountcontrol')) ||
    hasFileTimePassed(first('accountexpires'), now) ||
    isLockedForGood(first('pwdaccountlockedtime')) ||
    hasShadowExpired(first('shadowexpire'), now) ||
    first('nsaccountlock').toLowerCase() === 'true' // 389-ds, FreeIPA
  )
}

const isControlDisabled = (control: string): boolean =>
  /^-?\d{1,10}$/.test(control) && (Number(control) & ACCOUNT_DISABLED) !== 0

/** Active Directory: 100 ns since 1601. */
function hasFileTimePassed(time: string, now: number): boolean {
  if (NEVER.has(time) || !/^\d{1,19}$/.test(time)) return false
  return BigInt(time) / 10_000n - FILETIME_TO_UNIX_MS <= BigInt(now)
}

/** Password policy overlay: year 0 is for good, a real date ends by itself. */
const isLockedForGood = (time: string): boolean => time.startsWith('000001010000')

/** Days since 1970; -1 or nothing: never. Compared here, since servers know no order of it (RFC 2307). */
const hasShadowExpired = (days: string, now: number): boolean => /^\d{1,7}$/.test(days) && Number(days) * DAY_MS <= now
