import { AGENT, PRESENCE } from '#contract/kernel/hub-limits.ts'

/** Bounds of `spread_s`: a device that came back later would be shown as 离线 before. */
const RESTART_SPREAD_MS = { min: AGENT.cutRetryMs, max: PRESENCE.leaseMs - PRESENCE.graceMs } as const

/** Over how long devices come back after a restart, whatever was asked. */
export const boundSpread = (ms: number): number => Math.min(Math.max(ms, RESTART_SPREAD_MS.min), RESTART_SPREAD_MS.max)

/** The operator's RESTART_SPREAD_S, in seconds; the default where it is unset or no number. */
export function toRestartSpreadMs(seconds: string | undefined): number {
  const asked = seconds === undefined || seconds.trim() === '' ? Number.NaN : Number(seconds)
  return Number.isFinite(asked) ? boundSpread(asked * 1000) : PRESENCE.restartSpreadMs
}

/** True for a valid RESTART_SPREAD_S. Unset means the default. */
export const isRestartSpread = (value: unknown): boolean =>
  value === undefined || toRestartSpreadMs(String(value)) === 1000 * Number(value)
