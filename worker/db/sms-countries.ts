import { asc, sql } from 'drizzle-orm'
import { DIAL_CODE_DEFAULT, SHANGHAI_OFFSET_MS, SMS_COUNTRY } from '../contract/limits.ts'
import { type Violation, violation } from '../contract/result.ts'
import type { Db } from './client.ts'
import { smsCountries } from './schema/outside.ts'

const DAY_MS = 86_400_000

/** Days of Asia/Shanghai since 1970. */
export const shanghaiDay = (now: number): number => Math.floor((now + SHANGHAI_OFFSET_MS) / DAY_MS)

const isOpen = (dialCode: string): boolean => (SMS_COUNTRY.open as readonly string[]).includes(dialCode)

const defaultsOf = (dialCode: string) => ({
  isAllowed: isOpen(dialCode) ? 1 : 0,
  dailyMax: dialCode === DIAL_CODE_DEFAULT ? SMS_COUNTRY.dailyMaxMainland : SMS_COUNTRY.dailyMax,
})

/** Counts one SMS where the country is open and its day has room, as `checkSmsRoom` finds it in the same transaction. */
export const countSms = (db: Db, dialCode: string, now: number) => {
  const { isAllowed, dailyMax } = defaultsOf(dialCode)
  return db.run(sql`
    insert into sms_countries (dial_code, is_allowed, daily_max, day, sent)
    select ${dialCode}, ${isAllowed}, ${dailyMax}, ${shanghaiDay(now)}, 1
    where ${isAllowed} = 1 or exists (select 1 from sms_countries where dial_code = ${dialCode})
    on conflict (dial_code) do update set day = excluded.day,
      sent = case when day = excluded.day then sent + 1 else 1 end
      where is_allowed = 1 and daily_max > case when day = excluded.day then sent else 0 end`)
}

/** Whether a country is open, and how many SMS its day has room for. Of one without a row nothing was sent. */
export const selectSmsRoom = (db: Db, dialCode: string, now: number) => {
  const { isAllowed, dailyMax } = defaultsOf(dialCode)
  return db.all<[number, number]>(sql`
    select coalesce(max(is_allowed), ${isAllowed}),
      coalesce(max(daily_max - case when day = ${shanghaiDay(now)} then sent else 0 end), ${dailyMax})
    from sms_countries where dial_code = ${dialCode}`)
}

/** Why no SMS may go there; null where it may. */
export const checkSmsRoom = ([row]: readonly (readonly [isAllowed: number, room: number])[]): Violation | null => {
  const [isAllowed = 0, room = 0] = row ?? []
  if (isAllowed !== 1) return violation('SMS_COUNTRY_CLOSED')
  return room > 0 ? null : violation('SMS_COUNTRY_FULL')
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
      set: {
        ...(allowed !== undefined && { isAllowed: allowed }),
        ...(dailyMax !== undefined && { dailyMax }),
        dialCode,
      },
    })
    .returning()
}

export const selectSmsCountries = (db: Db) => db.select().from(smsCountries).orderBy(asc(smsCountries.dialCode))

/** Codes that are open although the operator set nothing for them. */
export const OPEN_BY_DEFAULT = SMS_COUNTRY.open.map((dialCode) => ({ dialCode, ...defaultsOf(dialCode) }))
