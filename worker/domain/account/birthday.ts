import { type Violation, violation } from '#contract/kernel/result.ts'
import { dateText } from '#contract/kernel/time.ts'
import { BIRTHDAY } from '#contract/account/limits.ts'

/** The latest birthday that is taken: so many days before today in Asia/Shanghai (account 5). */
export const latestBirthday = (now: number): string => dateText(now - BIRTHDAY.daysAgo * 86_400_000)

export function checkBirthday(birthday: string, now: number): Violation | null {
  const latest = latestBirthday(now)
  return birthday > latest ? violation('BIRTHDAY_LATE', { latest }) : null
}
