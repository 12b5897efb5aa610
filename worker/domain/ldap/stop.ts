import { LDAP_STOP } from '#contract/ldap/limits.ts'

const STOP_REASONS = ['empty', 'many', 'share', 'first'] as const
/** Reason for which a run stops and asks for confirmation. */
export type StopReason = (typeof STOP_REASONS)[number]

/** Sentences of the reasons. `first` has none here: its text depends on the page. */
export const STOP_TEXT = {
  empty: '目录没有返回任何用户',
  many: '将停用的成员过多',
  share: '将停用的成员占比过高',
} as const

interface Disabling {
  /** Users in the listing. */
  readonly listed: number
  /** Members that the run would disable. */
  readonly disabled: number
  /** Imported members that are enabled now. */
  readonly enabled: number
  /** No run has ended since the configuration changed. */
  readonly isFirst: boolean
}

/** A directory that answers less than it holds looks like one that people have left. */
export function findStop({ listed, disabled, enabled, isFirst }: Disabling): StopReason | null {
  if (listed === 0) return 'empty'
  if (disabled > LDAP_STOP.members) return 'many'
  if (disabled >= LDAP_STOP.shareFrom && disabled > enabled * LDAP_STOP.share) return 'share'
  return isFirst && disabled > 0 ? 'first' : null
}

/** A confirmation covers the members that were shown; one more asks again. */
export const isConfirmed = (confirmed: readonly number[], disabled: readonly number[]): boolean => {
  const shown = new Set(confirmed)
  return disabled.every((id) => shown.has(id))
}
