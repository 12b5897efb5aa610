import type { AlertChannel, AlertRule, DeliveryState } from './alert.ts'
import type { ALERT_FILTERS, AlertRow } from './monitor.ts'
import type { DeliveryRow } from './deliveries.ts'

interface PageQuestion {
  /** Networks that the role is limited to; null for all. */
  readonly networks: readonly string[] | null
  readonly page: number
  readonly limit: number
}
export interface AlertQuestion extends PageQuestion {
  readonly search: string
  readonly status: (typeof ALERT_FILTERS)[number]
  readonly rule: AlertRule | ''
}
export interface AlertAnswer {
  readonly rows: readonly AlertRow[]
  readonly count: number
  readonly open: number
}
export interface DeliveryQuestion extends PageQuestion {
  readonly channel: AlertChannel | ''
  readonly state: DeliveryState | ''
  readonly alertId: string
  /** Mail address; '' for all. Missing from a Worker of the release before. */
  readonly target?: string
}
export interface DeliveryAnswer {
  readonly rows: readonly DeliveryRow[]
  readonly count: number
  /** Recipients of the asked channel that are paused after permanent failures. */
  readonly paused: number
}

export interface AlertTask {
  readonly kind: 'acknowledge' | 'resend'
  /** Id of the alert or delivery. */
  readonly target: string
  readonly networks: readonly string[] | null
}
export type AlertTaskState = 'unknown' | 'over' | 'done' | 'open'
