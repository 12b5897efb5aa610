import type { WebhookSender } from '#contract/kernel/outside.ts'
import {
  ALERT,
  RULE_WORD,
  SEVERITY_WORD,
  STATUS_WORD,
  alertDurationMs,
  alertStatus,
  foldedLabel,
} from '#contract/monitor/alert.ts'
import { NETWORK_FAILS, SUSPECTED_WORD } from '#contract/kernel/states.ts'
import { OUTAGE_SUSPECTED, outageText, withConsequences } from '#domain/health/absence.ts'
import { joinNames } from '#domain/health/attention-facts.ts'
import { displayName, hostOfAccount } from '#domain/site/brand.ts'
import { type Alert, type Notice, isOfMany, networkOf, siteOfObject } from './state.ts'

/* Texts of alerts: titles, lines of notices, their sender, and durations in words. */

interface Sender {
  readonly username: string
  readonly nickname: string
  readonly host: string
}

export const toSender = ({ username, nickname, host }: Sender): WebhookSender => ({
  brand: displayName(hostOfAccount(host)),
  account: nickname === username ? username : `${nickname}（${username}）`,
})

export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  const parts = [
    days > 0 && `${days}天`,
    hours > 0 && `${hours}小时`,
    minutes > 0 && `${minutes}分钟`,
    (seconds % 60 > 0 || seconds === 0) && `${seconds % 60}秒`,
  ]
  return parts.filter(Boolean).slice(0, 2).join('')
}

type Titled = Pick<Alert, 'rule' | 'object' | 'label' | 'folded' | 'times' | 'isSuspected' | 'consequences' | 'centers'>

/** Members and times are two numbers: a member may go several times while the alert lasts. */
export function alertTitle(alert: Titled): string {
  const { rule, object, label, folded, times = folded, isSuspected = false, consequences } = alert
  const all = times > folded ? `，共${times}次` : ''
  const text = consequences === undefined ? '' : outageText(consequences, isSuspected ? OUTAGE_SUSPECTED : undefined)
  const site = siteOfObject(object)
  const where = site === null ? '' : `，都在公网地址 ${site} 之后`
  if (isOfMany(object)) return `${withConsequences(`${folded}个${RULE_WORD[rule]}${where}`, text)}${all}`
  if (rule !== 'router_offline') return `${RULE_WORD[rule]}：${label}`
  if (networkOf(object) !== null) return `${NETWORK_FAILS}：${label}`
  return absenceTitle(alert, text, all)
}

function absenceTitle(alert: Titled, text: string, all: string): string {
  const { rule, label, folded, isSuspected = false, consequences, centers = [label] } = alert
  const isOfCenter = folded > 0 || consequences !== undefined
  const what = isSuspected ? `中心点${SUSPECTED_WORD}` : isOfCenter ? '中心点离线' : RULE_WORD[rule]
  const following = Math.max(0, folded - centers.length + 1)
  const others = following > 0 ? `，${following}个成员随之${isSuspected ? '失联' : '离线'}${all}` : ''
  return `${withConsequences(`${what}：${joinNames(centers, '个中心点')}`, text)}${others}`
}

const PREFIX: Readonly<Partial<Record<Notice['kind'], string>>> = {
  reminder: `${STATUS_WORD.open}：`,
  escalation: '无人确认：',
  recovery: `${STATUS_WORD.recovered}：`,
}

export const noticeTitle = ({ kind, alert }: Notice): string =>
  `${isEvent(alert) ? '' : (PREFIX[kind] ?? '')}${alertTitle(alert)}`

const isEvent = (alert: Alert): boolean => alertStatus(alert, false) === 'event'

/** @param timeText `YYYY-MM-DD HH:mm:ss` in Asia/Shanghai */
export function noticeLines(
  { kind, alert, children, at }: Notice,
  timeText: (at: number) => string,
): readonly string[] {
  const end = alert.endedAt
  const durationMs = alertDurationMs(alert)
  const others = alert.folded - Math.min(children.length, ALERT.childrenShown)
  const names = children.slice(0, ALERT.childrenShown).join('、')
  const lines = [
    `级别：${SEVERITY_WORD[alert.severity]}`,
    `发生时间：${timeText(alert.startedAt)}`,
    alert.reason !== '' && `${alert.rule === 'service_expired' ? '影响' : '原因'}：${alert.reason}`,
    names !== '' && `${foldedLabel(alert.rule)}：${names}${others > 0 ? `等${alert.folded}个` : ''}`,
    kind === 'recovery' && durationMs !== null && end !== null && `恢复时间：${timeText(end)}`,
    kind === 'recovery' && durationMs !== null && `持续时间：${durationText(durationMs)}`,
    (kind === 'reminder' || kind === 'escalation') && `已持续：${durationText(at - alert.startedAt)}`,
  ]
  return lines.filter((line) => line !== false)
}
