import type { AttentionKind, AttentionRow } from '#contract/kernel/health.ts'
import type { OpenAlert } from '#contract/kernel/hubs.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import type { AlertRule } from '#contract/monitor/alert.ts'
import { MANY, networkObject, siteObject } from '#domain/monitor/state.ts'

/* Person who handles a row that needs attention: by the acknowledgement of its alert, or by 我来处理 alone. */

export interface Handler {
  /** Id of the row. */
  readonly trouble: string
  readonly name: string
  readonly at: number
}

/** A handler is forgotten after this time, even if the trouble lasts. */
export const HANDLED_MS = DAY_MS

/** Rules of alerts about the device that a row names. */
const RULE_OF_DEVICE: Partial<Record<AttentionKind, AlertRule>> = {
  network_down: 'router_offline',
  center_offline: 'router_offline',
  suspected: 'router_offline',
  member_offline: 'router_offline',
  member_flapping: 'flapping',
  config_failed: 'config_failed',
  config_reverted: 'config_failed',
  config_unsynced: 'config_failed',
}

/** The open alert about the same trouble. */
export function findAlert({ id, kind, target }: AttentionRow, alerts: readonly OpenAlert[]): OpenAlert | undefined {
  const { type, network_number, router_name } = target
  const named = (rule: AlertRule | undefined, object: string | null) =>
    alerts.find((alert) => alert.rule === rule && alert.object === object)
  const ofCenter = (isOne: (centers: readonly string[]) => boolean) =>
    alerts.find(({ rule, centers = [] }) => rule === 'router_offline' && isOne(centers))
  if (type === 'members') {
    const ofSite = named('router_offline', siteObject(id.slice(id.indexOf(' ') + 1)))
    return ofSite ?? named('router_offline', MANY) ?? ofCenter((centers) => centers.length > 0)
  }
  if (type === 'network' && kind === 'suspected') return named('router_offline', networkObject(network_number ?? ''))
  if (type === 'directory') return named('directory_sync', kind === 'directory_asking' ? 'stop' : 'failed')
  if (kind === 'pop_offline')
    return alerts.find(({ rule, networks }) => rule === 'pop_connect' && networks.includes(network_number ?? ''))
  if (type !== 'router') return undefined
  const rule = RULE_OF_DEVICE[kind]
  const isOfCenter = rule === 'router_offline' && router_name !== null
  return named(rule, router_name) ?? (isOfCenter ? ofCenter((centers) => centers.includes(router_name)) : undefined)
}

/** A trouble that began after the person took it is another one. */
const isHandledBy = ({ since }: Pick<AttentionRow, 'since'>, { at }: Pick<Handler, 'at'>, now: number): boolean =>
  at > now - HANDLED_MS && (since === null || since <= at)

/** The row with the name and time of its handler. */
export function withHandler(
  row: AttentionRow,
  {
    alerts,
    handlers,
    now,
  }: { readonly alerts: readonly OpenAlert[]; readonly handlers: readonly Handler[]; readonly now: number },
): AttentionRow {
  const alert = findAlert(row, alerts)
  if (alert?.ackBy != null) return { ...row, handled: { by: alert.ackBy, at: alert.ackAt ?? 0 } }
  const own = handlers.find((one) => one.trouble === row.id && isHandledBy(row, one, now))
  return own === undefined ? row : { ...row, handled: { by: own.name, at: own.at } }
}
