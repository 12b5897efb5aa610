import { type AlertChannel, type DeliveryState, type NoticeKind } from '#contract/monitor/alert.ts'
import { type Alert, type Notice, isAboutRouter, networkOf } from './state.ts'
import { noticeLines, noticeTitle } from './text.ts'

/* Deliveries of alert notices: recipients, channels, quiet hours. */

/** One message to one recipient on one channel; its id is the event id of all its tries. */
export interface Delivery {
  readonly id: string
  readonly alertId: string
  readonly kind: NoticeKind
  readonly channel: AlertChannel
  /** Mail address; '' for other channels. */
  readonly target: string
  readonly title: string
  readonly lines: readonly string[]
  /** Networks of the object. A limited role sees it if it covers one of them. */
  readonly networks: readonly string[]
  readonly networkNumber: string
  readonly routerName: string
  /** 'router.offline', and when it happened. */
  readonly event: string
  readonly at: number
  readonly state: DeliveryState
  readonly tries: number
  readonly nextAt: number
  readonly createdAt: number
  /** Start of the retry period: the first planned send, or the latest resend that a person requested. */
  readonly triedFrom: number
  readonly doneAt: number | null
  /** Code and words of the other side's answer. */
  readonly code: string
  readonly words: string
  /** Notices within a digest, oldest first. */
  readonly covers?: readonly Covered[]
  /** Name of the service that a renewal would continue. */
  readonly service?: string
}

type Covered = Pick<Delivery, 'alertId' | 'event' | 'at'>

export const laneOf = ({ channel, target }: Pick<Delivery, 'channel' | 'target'>): string =>
  target === '' ? channel : `${channel} ${target}`

interface Recipients {
  readonly mails: readonly MailRecipient[]
  /** Further recipients of alerts that nobody acknowledges. */
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
  /** End of the quiet hours; critical (严重) alerts ignore them. */
  readonly quietUntil: number | null
  readonly now: number
  readonly timeText: (at: number) => string
}

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
    ...(alert.rule === 'service_expired' && kind !== 'recovery' && { service: alert.label }),
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

/** The cron writes the site message of an ending service, and the directory's hub its own message. */
const isWrittenElsewhere = ({ rule }: Alert): boolean => rule === 'service_expired' || rule === 'directory_sync'

/** Object named by a message; roles limited to networks are filtered by it. */
function objectOf({ rule, object, networks }: Alert): Pick<Delivery, 'networkNumber' | 'routerName'> {
  if (rule === 'pop_connect' || networkOf(object) !== null) return { networkNumber: networks[0] ?? '', routerName: '' }
  return { networkNumber: '', routerName: isAboutRouter({ rule, object }) ? object : '' }
}
