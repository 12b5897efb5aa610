import type { AttentionRow } from '#contract/kernel/health.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { FailingChannel } from '#contract/kernel/hubs.ts'
import { dateText } from '#contract/kernel/time.ts'
import { daysUntil } from '#domain/network-fr/resource.ts'
import { type CertificateTrouble, certificateCause } from '#domain/router/certificate-trouble.ts'
import { row, withReason } from './attention-facts.ts'

/* Rows that need attention besides devices and networks: directory, ended services, alert channels, contacts, tickets. */

export interface InboxFacts {
  /** Newest run of the directory, if it failed or asks; null otherwise. */
  readonly directory: { readonly state: 'failed' | 'asking'; readonly failure: string; readonly at: number } | null
  /** Services that are over, without another of their kind. */
  readonly ended: readonly { readonly name: string; readonly expireAt: number }[]
  readonly channels: readonly FailingChannel[]
  /** Contacts whose authorization is over. */
  readonly contacts: readonly { readonly uuid: string; readonly name: string; readonly expiresAt: number }[]
  readonly saas: readonly { readonly routerName: string; readonly label: string; readonly expireAt: number }[]
  /** Devices with tunnels whose request is refused, or whose certificate ends within the days of the warning. */
  readonly certificates: readonly CertificateTrouble[]
  /** Tickets of the caller that wait for an answer. */
  readonly tickets: readonly { readonly number: string; readonly title: string; readonly answeredAt: number }[]
}

export const EMPTY_INBOX: InboxFacts = {
  directory: null,
  ended: [],
  channels: [],
  contacts: [],
  saas: [],
  certificates: [],
  tickets: [],
}

export function inboxRows(facts: InboxFacts, now: number): readonly AttentionRow[] {
  return [
    ...directoryRows(facts),
    ...facts.ended.map(serviceRow),
    ...facts.channels.map(channelRow),
    ...facts.contacts.map(contactRow),
    ...facts.saas.flatMap((device) => saasRow(device, now)),
    ...facts.certificates.map((device) => certificateRow(device, now)),
    ...facts.tickets.map(ticketRow),
  ]
}

function directoryRows({ directory }: InboxFacts): readonly AttentionRow[] {
  if (directory === null) return []
  const { state, failure, at } = directory
  const isAsking = state === 'asking'
  const cause = isAsking ? '同步等待确认' : withReason('读取失败，成员未更新', failure)
  return [
    row(
      isAsking ? 'directory_asking' : 'directory_failed',
      { type: 'directory' },
      { name: 'LDAP目录', cause, since: at },
    ),
  ]
}

const serviceRow = ({ name, expireAt }: InboxFacts['ended'][number]): AttentionRow =>
  row(
    'service_over',
    { type: 'service' },
    { name, cause: `已于 ${dateText(expireAt)} 到期`, since: expireAt, object: `${name} ${expireAt}` },
  )

function channelRow({ channel, target, since, words }: FailingChannel): AttentionRow {
  const name = channel === 'mail' ? `邮件通知 ${target}` : 'Webhook通知'
  const cause = withReason('告警通知发送失败', words)
  return row('delivery_failed', { type: 'deliveries' }, { name, cause, since, object: `${channel} ${target}` })
}

const contactRow = ({ uuid, name, expiresAt }: InboxFacts['contacts'][number]): AttentionRow =>
  row(
    'contact_expired',
    { type: 'contacts' },
    { name: `联系人 ${name}`, cause: '授权已过期，收不到告警邮件', since: expiresAt, object: uuid },
  )

function saasRow({ routerName, label, expireAt }: InboxFacts['saas'][number], now: number): readonly AttentionRow[] {
  const target = { type: 'saas', router_name: routerName } as const
  if (expireAt <= now)
    return [
      row('saas_over', target, { name: label, cause: `SaaS加速已于 ${dateText(expireAt)} 到期`, since: expireAt }),
    ]
  const days = daysUntil(expireAt, now)
  if (days > HEALTH.serviceDays) return []
  return [row('saas_ending', target, { name: label, cause: `SaaS加速还有 ${days} 天到期`, until: expireAt })]
}

function certificateRow(device: CertificateTrouble, now: number): AttentionRow {
  const { routerName, label: name, refusal, endsAt } = device
  const target = { type: 'router', router_name: routerName } as const
  const cause = certificateCause(device, now)
  if (refusal !== null) return row('certificate_refused', target, { name, cause, since: refusal.at })
  return row('certificate_ending', target, { name, cause, until: endsAt })
}

const ticketRow = ({ number, title, answeredAt }: InboxFacts['tickets'][number]): AttentionRow =>
  row(
    'ticket_answered',
    { type: 'ticket', ticket_number: number },
    { name: title, cause: '客服已回复工单，等待你的答复', since: answeredAt, object: number },
  )
