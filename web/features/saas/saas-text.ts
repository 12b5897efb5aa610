import type { Output } from '#contract/kernel/endpoint.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import type { saasApi } from '#contract/saas/index.ts'
import { timeText } from '#lib/format/format-time.ts'
import { mbsText, trafficText } from '#lib/format/format-unit.ts'

/* Texts about SaaS devices: edition, volumes, temporary bandwidth, and reasons against a change of bandwidth. */

export type SaasRow = Output<typeof saasApi.router>[number]
export type SaasInfo = Output<typeof saasApi.info>

export const editionText = (share: 0 | 1): string => (share === 1 ? '共享版' : '标准版')

export const volumeText = (bytes: number | null): string => (bytes === null ? '—' : trafficText(bytes * 8, 'byte'))

export const bothText = ({ input, out }: { readonly input: number; readonly out: number }): string =>
  `上行 ${volumeText(input)}，下行 ${volumeText(out)}`

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
