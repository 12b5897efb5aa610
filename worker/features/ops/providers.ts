import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { CHANNELS, type Channel } from '#contract/kernel/outside.ts'
import { selectProviderStatus } from '#db/provider-status.ts'
import { ACCOUNT_HOSTS } from '#domain/site/brand.ts'
import type { Ctx } from '#http/context.ts'
import dialCodes from '#contract/country/dial-codes.json' with { type: 'json' }
import { refuse } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { batch } from '#db/batch.ts'
import { OPEN_BY_DEFAULT, saveSmsCountry, selectSmsCountries, shanghaiDay } from '#db/sms-countries.ts'
import { operatorAudit } from './audit.ts'

/* Operator's view of mail and SMS providers: their state, and the countries that get SMS. */

type Answer<K extends keyof typeof opsApi> = Output<(typeof opsApi)[K]>

/** State of a provider before its first check. */
const UNKNOWN = {
  isDown: 0,
  succeededAt: null,
  failedAt: null,
  failure: '',
  failures: 0,
  checkedAt: 0,
} as const

export async function providerStatus({ db, now, outside }: Ctx): Promise<Answer<'providerStatus'>> {
  const rows = await selectProviderStatus(db, now)
  const toStatus = async (channel: Channel) => {
    const row = rows.find((known) => known.channel === channel) ?? UNKNOWN
    return {
      channel,
      down: row.isDown,
      last_success: row.succeededAt,
      last_failure: row.failedAt,
      failure: row.failure,
      failures: row.failures,
      last_check: row.checkedAt || null,
      unset: [...(await outside.gaps(channel, ACCOUNT_HOSTS))],
    }
  }
  return Promise.all(CHANNELS.map(toStatus))
}

export async function listSmsCountries({ db, now }: Ctx): Promise<Answer<'smsCountries'>> {
  const rows = await selectSmsCountries(db)
  const unset = OPEN_BY_DEFAULT.filter(({ dialCode }) => !rows.some((row) => row.dialCode === dialCode))
  return [...unset.map((row) => ({ ...row, day: 0, sent: 0, sentByName: 0 })), ...rows].map((row) => toWire(row, now))
}

export async function setSmsCountry(ctx: Ctx, input: Parsed<(typeof opsApi)['smsCountry']>) {
  const { db, now } = ctx
  const { dial_code, allowed, daily_max } = input
  if (!Object.hasOwn(dialCodes, dial_code)) return refuse('INPUT_INVALID', { reason: '没有这个区号' }, 'dial_code')
  const { saved } = await batch(db, {
    saved: saveSmsCountry(db, dial_code, { allowed, dailyMax: daily_max }),
    audit: operatorAudit(ctx, 0, {
      action: 'sms/country',
      target: `+${dial_code}`,
      message: `运营调整发往+${dial_code}的短信`,
      after: { allowed, daily_max },
    }),
  })
  return toWire(saved[0] ?? refuse('FAULT'), now)
}

type Row = Awaited<ReturnType<typeof selectSmsCountries>>[number]

const toWire = ({ dialCode, isAllowed, dailyMax, day, sent, sentByName }: Row, now: number) => ({
  dial_code: dialCode,
  allowed: toWireBoolean(isAllowed),
  daily_max: dailyMax,
  sent_today: day === shanghaiDay(now) ? sent : 0,
  sent_by_name_today: day === shanghaiDay(now) ? sentByName : 0,
})
