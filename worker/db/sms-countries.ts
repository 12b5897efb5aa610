import { asc, sql } from 'drizzle-orm'
import { DIAL_CODE_DEFAULT, SMS_COUNTRY } from '#contract/kernel/limits.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import type { Db } from './client.ts'
import { smsCountries } from './schema/service.ts'
import { DAY_MS, SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'

/* Countries that SMS may go to, with their daily counts and limits. */

/** Day number since 1970 in Asia/Shanghai. */
export const shanghaiDay = (now: number): number => Math.floor((now + SHANGHAI_OFFSET_MS) / DAY_MS)

const isOpen = (dialCode: string): boolean => (SMS_COUNTRY.open as readonly string[]).includes(dialCode)

const defaultsOf = (dialCode: string) => ({
  isAllowed: isOpen(dialCode) ? 1 : 0,
  dailyMax: dialCode === DIAL_CODE_DEFAULT ? SMS_COUNTRY.dailyMaxMainland : SMS_COUNTRY.dailyMax,
})

/** Daily count that an SMS belongs to: its phone was typed, or looked up by an account name. */
export type SmsCount = 'sent' | 'sent_by_name'

const sentToday = (count: SmsCount, now: number) =>
  sql`case when day = ${shanghaiDay(now)} then ${sql.raw(count)} else 0 end`

/** Counts one SMS if the country is open and below its daily limit; `checkSmsQuota` decides in the same transaction. */
export const countSms = (db: Db, dialCode: string, count: SmsCount, now: number) => {
  const { isAllowed, dailyMax } = defaultsOf(dialCode)
  const [sent, sentByName] = count === 'sent' ? [1, 0] : [0, 1]
  return db.run(sql`
    insert into sms_countries (dial_code, is_allowed, daily_max, day, sent, sent_by_name)
    select ${dialCode}, ${isAllowed}, ${dailyMax}, ${shanghaiDay(now)}, ${sent}, ${sentByName}
    where ${isAllowed} = 1 or exists (select 1 from sms_countries where dial_code = ${dialCode})
    on conflict (dial_code) do update set day = excluded.day,
      sent = ${sentToday('sent', now)} + excluded.sent, sent_by_name = ${sentToday('sent_by_name', now)} + excluded.sent_by_name
      where is_allowed = 1 and daily_max > ${sentToday(count, now)}`)
}

/** Permission of a country and its SMS left today. A country without a row has sent none. */
export const selectSmsQuota = (db: Db, dialCode: string, count: SmsCount, now: number) => {
  const { isAllowed, dailyMax } = defaultsOf(dialCode)
  return db.all<[number, number]>(sql`
    select coalesce(max(is_allowed), ${isAllowed}),
      coalesce(max(daily_max - ${sentToday(count, now)}), ${dailyMax})
    from sms_countries where dial_code = ${dialCode}`)
}

/** Reason against an SMS to the country, or null. */
export const checkSmsQuota = ([row]: readonly (readonly [number, number])[]): Violation | null => {
  const [isAllowed = 0, remaining = 0] = row ?? []
  if (isAllowed !== 1) return violation('SMS_COUNTRY_CLOSED')
  return remaining > 0 ? null : violation('SMS_COUNTRY_FULL')
}

interface Change {
  readonly allowed?: 0 | 1 | undefined
  readonly dailyMax?: number | undefined
}

export const saveSmsCountry = (db: Db, dialCode: string, { allowed, dailyMax }: Change) => {
  const defaults = defaultsOf(dialCode)
  return db
    .insert(smsCountries)
    .values({ dialCode, isAllowed: allowed ?? defaults.isAllowed, dailyMax: dailyMax ?? defaults.dailyMax })
    .onConflictDoUpdate({
      target: smsCountries.dialCode,
      set: { isAllowed: allowed, dailyMax, dialCode },
    })
    .returning()
}

export const selectSmsCountries = (db: Db) => db.select().from(smsCountries).orderBy(asc(smsCountries.dialCode))

/** Dial codes that are open by default. */
export const OPEN_BY_DEFAULT = SMS_COUNTRY.open.map((dialCode) => ({ dialCode, ...defaultsOf(dialCode) }))
