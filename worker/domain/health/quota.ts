import { HEALTH } from '#contract/kernel/hub-limits.ts'

/* Fill level of an account's quota. The list 需要关注 (attention) shows quotas of level `bad`. */

export interface Quota {
  readonly used: number
  readonly total: number
}

export function quotaLevel({ used, total }: Quota): 'ok' | 'warn' | 'bad' {
  if (used * 100 > total * HEALTH.quotaPercent) return 'bad'
  return used > 0 && used * 100 >= total * HEALTH.quotaWarnPercent ? 'warn' : 'ok'
}
