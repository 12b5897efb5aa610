import { type AlertChannel, isOfRouter } from '#contract/monitor/alert.ts'
import type { Delivery } from './delivery.ts'
import { type Alert, MANY, type Notice } from './state.ts'
import { noticeLines, noticeTitle } from './text.ts'

/** Recipients of an account's notices. */
interface Recipients {
  readonly mails: readonly MailRecipient[]
  /** Further ones, for alerts that nobody acknowledges. */
  readonly escalation: readonly MailRecipient[]
  readonly hasWebhook: boolean
}
export interface MailRecipient {
  readonly address: string
  /** Reason to send nothing: notices are recorded as unsent. '' when sending is allowed. */
  readonly unsent: string
}

interface Context {
  readonly accountId: number
  readonly recipients: Recipients
  /** End of the quiet hours, which 严重 passes. */
  readonly quietUntil: number | null
  readonly now: number
  readonly timeText: (at: number) => string
}

/** The deliveries of a notice. */
export function expandNotice(
  notice: Notice,
  { accountId, recipients, quietUntil, now, timeText }: Context,
): readonly Delivery[] {
  const { kind, alert, at } = notice
  const nextAt = alert.severity === 'critical' ? now : (quietUntil ?? now)
  const create = (channel: AlertChannel, target: string): Delivery => ({
    id: [accountId, alert.id, kind, at.toString(36), channel, ...(target === '' ? [] : [target])].join('.'),
    alertId: alert.id,
    kind,
    channel,
    target,
    title: noticeTitle(notice),
    lines: noticeLines(notice, timeText),
    networks: alert.networks,
    ...objectOf(alert),
    event: `${alert.rule.replace('_', '.')}${kind === 'recovery' ? '.recovered' : ''}`,
    at: kind === 'recovery' ? (alert.endedAt ?? at) : alert.startedAt,
    state: 'pending',
    tries: 0,
    nextAt: channel === 'site' ? now : nextAt,
    createdAt: now,
    triedFrom: nextAt,
    doneAt: null,
    code: '',
    words: '',
  })
  const isOnSite =
    (kind === 'open' && !isWrittenElsewhere(alert)) || (kind === 'recovery' && alert.rule !== 'service_expired')
  const mails = kind === 'escalation' ? recipients.escalation : recipients.mails
  const toMail = ({ address, unsent: words }: MailRecipient): Delivery => {
    const mail = create('mail', address)
    return words === '' ? mail : { ...mail, state: 'unsent', doneAt: now, words }
  }
  return [
    ...(isOnSite ? [create('site', '')] : []),
    ...[...new Map(mails.map((mail) => [mail.address, mail])).values()].map(toMail),
    ...(recipients.hasWebhook && kind !== 'escalation' ? [create('webhook', '')] : []),
  ]
}

/** The cron writes the site message of a service that ends, the directory's hub its own: each stands once. */
const isWrittenElsewhere = ({ rule }: Alert): boolean => rule === 'service_expired' || rule === 'directory_sync'

/** Object named by a message; roles limited to networks are filtered by it. */
function objectOf({ rule, object, networks }: Alert): Pick<Delivery, 'networkNumber' | 'routerName'> {
  if (rule === 'pop_connect') return { networkNumber: networks[0] ?? '', routerName: '' }
  return { networkNumber: '', routerName: object === MANY || !isOfRouter(rule) ? '' : object }
}
