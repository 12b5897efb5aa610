import type { Output, Parsed } from '../../contract/endpoint.ts'
import dialCodes from '../../contract/dial-codes.json' with { type: 'json' }
import { refuse } from '../../contract/errors.ts'
import type { opsApi } from '../../contract/ops.ts'
import { OPEN_BY_DEFAULT, saveSmsCountry, selectSmsCountries, shanghaiDay } from '../../db/sms-countries.ts'
import type { Ctx } from '../../http/context.ts'
import { log } from '../../http/log.ts'

type Answer<K extends keyof typeof opsApi> = Output<(typeof opsApi)[K]>

export async function listSmsCountries({ db, now }: Ctx): Promise<Answer<'smsCountries'>> {
  const rows = await selectSmsCountries(db)
  const unset = OPEN_BY_DEFAULT.filter(({ dialCode }) => !rows.some((row) => row.dialCode === dialCode))
  return [...unset.map((row) => ({ ...row, day: 0, sent: 0 })), ...rows].map((row) => toWire(row, now))
}

/** No account is concerned, so that it stands in the Worker's log instead of an account's records. */
export async function setSmsCountry(
  { db, now, requestId, ip }: Ctx,
  { dial_code, allowed, daily_max }: Parsed<(typeof opsApi)['smsCountry']>,
): Promise<Answer<'smsCountry'>> {
  if (!Object.hasOwn(dialCodes, dial_code)) return refuse('INPUT_INVALID', { reason: '没有这个区号' }, 'dial_code')
  const [row] = await saveSmsCountry(db, dial_code, { allowed, dailyMax: daily_max })
  if (!row) throw new Error('a country was not saved')
  log('info', 'sms_country', { requestId, ip, dialCode: dial_code, allowed: row.isAllowed, dailyMax: row.dailyMax })
  return toWire(row, now)
}

interface Row {
  readonly dialCode: string
  readonly isAllowed: number
  readonly dailyMax: number
  readonly day: number
  readonly sent: number
}

const toWire = ({ dialCode, isAllowed, dailyMax, day, sent }: Row, now: number) => ({
  dial_code: dialCode,
  allowed: isAllowed === 1 ? (1 as const) : (0 as const),
  daily_max: dailyMax,
  sent_today: day === shanghaiDay(now) ? sent : 0,
})
