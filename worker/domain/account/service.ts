import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { TRIAL } from '#contract/account/limits.ts'
import { SERVICE_WARNING_DAYS, type ServiceKind, type ServiceState } from '#contract/account/services.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { daysUntil } from '#domain/network-fr/resource.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* State of a service (我的服务) from its term, and the warnings before its end. */

interface Term {
  readonly startAt: number
  readonly expireAt: number
}

export function serviceState({ startAt, expireAt }: Term, now: number): ServiceState {
  if (expireAt <= now) return 'expired'
  if (startAt > now) return 'pending'
  return expireAt <= now + HEALTH.serviceDays * DAY_MS ? 'ending' : 'active'
}

/** A trial is shorter than the usual reminder, which would stand there from its first minute. */
export const isReminded = (
  { name, expireAt }: Pick<Term, 'expireAt'> & { readonly name: string },
  now: number,
): boolean => name !== TRIAL.name || daysUntil(expireAt, now) <= TRIAL.reminderDays

/** Effects of a service's end, unless another service of its kind continues. */
export const STOPS_AT_EXPIRY: Readonly<Record<ServiceKind, string>> = {
  network_member: `席位减少，超出席位的组网停用，停用满${NETWORK.suspensionDays}天后从设备移除配置`,
  center: '不能再新增超出数量的中心点，已有中心点不受影响',
  software_member: '不能再添加软件成员；没有其他有效服务时，软件成员无法登录客户端',
  sub_account: '不能再添加超出数量的子账号，已有子账号不受影响',
  bandwidth: '该服务的带宽不再可用',
}

interface NextWarning {
  /** The due warning, in days before the end; 0 is the end. After a late run, only the last missed warning is due. */
  readonly days: number | null
  readonly nextAt: number | null
}

/** Each warning is sent once for an end date, even if a renewal moved the end and was then cut back. */
export function nextWarning({ startAt, expireAt }: Term, sent: readonly number[], now: number): NextWarning {
  const dueAt = (days: number) => expireAt - days * DAY_MS
  const left = SERVICE_WARNING_DAYS.filter((days) => dueAt(days) > startAt && sent.every((other) => days < other))
  const due = left.findLast((days) => dueAt(days) <= now) ?? null
  const next = left.find((days) => dueAt(days) > now)
  return { days: due, nextAt: next === undefined ? null : dueAt(next) }
}

interface Warned extends Term {
  readonly kind: ServiceKind
  readonly name: string
  readonly endText: string
}

/** The text counts the days that are left now, because a run may be late. */
export function warningMessage(service: Warned, now: number): { readonly title: string; readonly content: string } {
  const { kind, name, expireAt, endText } = service
  const stops = STOPS_AT_EXPIRY[kind]
  if (expireAt <= now) {
    return {
      title: `服务“${name}”已到期`,
      content: `服务“${name}”已于${endText}到期：${stops}。请在“我的服务”中续费。`,
    }
  }
  const left = `还有${daysUntil(expireAt, now)}天`
  return {
    title: `服务“${name}”即将到期`,
    content: `服务“${name}”将于${endText}到期，${left}。到期后${stops}。请在“我的服务”中续费。`,
  }
}
