import { HEALTH } from '#contract/kernel/hub-limits.ts'

export interface Quota {
  readonly used: number
  readonly total: number
}

/** Fill level of a quota. 需要关注 lists the level `bad`. */
export function quotaLevel({ used, total }: Quota): 'ok' | 'warn' | 'bad' {
  if (used * 100 > total * HEALTH.quotaPercent) return 'bad'
  return used > 0 && used * 100 >= total * HEALTH.quotaWarnPercent ? 'warn' : 'ok'
}
