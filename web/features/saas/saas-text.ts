import type { Output } from '#contract/kernel/endpoint.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { PRESENCE_WORD } from '#contract/kernel/states.ts'
import type { saasApi } from '#contract/saas/index.ts'
import { MEMBER_STATES } from '#domain/health/member.ts'
import { expiry, timeText } from '#lib/format/format-time.ts'
import { mbsText, trafficText } from '#lib/format/format-unit.ts'

/* Texts about SaaS devices: edition, volumes, temporary bandwidth, reasons against a change of bandwidth, and the filter by state. */

export type SaasRow = Output<typeof saasApi.router>[number]
export type SaasInfo = Output<typeof saasApi.info>

export const editionText = (share: 0 | 1): string => (share === 1 ? '共享版' : '标准版')

export const volumeText = (bytes: number | null): string => (bytes === null ? '—' : trafficText(bytes * 8, 'byte'))

export const bothText = ({ input, out }: { readonly input: number; readonly out: number }): string =>
  `上行 ${volumeText(input)}，下行 ${volumeText(out)}`

/** Second line of a row on a phone: bandwidth, and the expiry once its text is coloured. */
export function compactText({ current_bandwidth, expire_date }: SaasRow, now: number): string {
  const { text, tone } = expiry(expire_date, now)
  return [mbsText(current_bandwidth), ...(tone === 'normal' ? [] : [text])].join(' · ')
}

/** Temporary bandwidth that is in force or to come; empty without one. */
export function temporaryText({ temp_bandwidth, temp_start_date, temp_expire_date }: SaasRow, now: number): string {
  if (temp_bandwidth === null || temp_start_date === null || temp_expire_date === null) return ''
  if (temp_expire_date <= now) return ''
  return `${mbsText(temp_bandwidth)}（${timeText(temp_start_date).slice(0, 16)} 至 ${timeText(temp_expire_date).slice(0, 16)}）`
}

/** Reason why the bandwidth cannot be changed; null if it can. */
export function bandwidthBlocked({ share, expire_date }: SaasRow, now: number): string | null {
  if (share !== 1) return ERRORS.SAAS_NOT_SHARED.msg
  return expire_date <= now ? ERRORS.SAAS_EXPIRED.msg : null
}

const SAAS_STATES = [...MEMBER_STATES, 'ending', 'over'] as const
export type SaasState = (typeof SAAS_STATES)[number]

const STATE_WORD: Readonly<Record<SaasState, string>> = { ...PRESENCE_WORD, ending: '即将到期', over: '已过期' }

/** An expiry counts as ending from the day on which its text is coloured. */
export function isInState({ presence, expire_date }: SaasRow, state: SaasState | '', now: number): boolean {
  if (state === '') return true
  const { tone } = expiry(expire_date, now)
  if (state === 'over') return tone === 'past'
  return state === 'ending' ? tone === 'soon' || tone === 'urgent' : presence.state === state
}

export const stateChips = (rows: readonly SaasRow[], now: number) =>
  SAAS_STATES.map((value) => ({
    value,
    label: STATE_WORD[value],
    count: rows.filter((row) => isInState(row, value, now)).length,
  }))

/** An unknown value in the address means no filter. */
export const toSaasState = (text: string): SaasState | '' => SAAS_STATES.find((value) => value === text) ?? ''
