import type { Output, Parsed } from '../../contract/endpoint.ts'
import dialCodes from '../../contract/dial-codes.json' with { type: 'json' }
import { refuse } from '../../contract/errors.ts'
import { PROVIDER } from '../../contract/limits.ts'
import type { opsApi } from '../../contract/ops.ts'
import { CHANNELS } from '../../contract/outside.ts'
import { selectProviderStatus } from '../../db/provider-status.ts'
import { OPEN_BY_DEFAULT, saveSmsCountry, selectSmsCountries, shanghaiDay } from '../../db/sms-countries.ts'
import type { Ctx } from '../../http/context.ts'
import { log } from '../../http/log.ts'

type Answer<K extends keyof typeof opsApi> = Output<(typeof opsApi)[K]>

/** What is known before the first check. */
const UNKNOWN = { isDown: 0, succeededAt: null, failedAt: null, failure: '', failures: 0, checkedAt: 0 } as const

/** A channel of which nothing is known yet has a line as well. */
export async function providerStatus({ db, now }: Ctx): Promise<Answer<'providerStatus'>> {
  const rows = await selectProviderStatus(db)
  return CHANNELS.map((channel) => {
    const row = rows.find((known) => known.channel === channel) ?? UNKNOWN
    const isPaused = row.failures >= PROVIDER.failures && (row.failedAt ?? 0) > now - PROVIDER.pauseMs
    return {
      channel,
      down: row.isDown === 1 || isPaused ? 1 : 0,
      last_success: row.succeededAt,
      last_failure: row.failedAt,
      failure: row.failure,
      failures: row.failures,
      last_check: row.checkedAt || null,
    }
  })
}

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
