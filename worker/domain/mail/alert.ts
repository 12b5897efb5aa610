import type { Mail } from '#contract/kernel/outside.ts'
import { composeMail } from './compose.ts'

/** Ticket that renews a service. */
export const renewalUrl = (origin: string, service: string): string =>
  `${origin}/ticket/create?service_name=${encodeURIComponent(service)}`

/** Mail of an alert, its reminder or its recovery. `unsubscribe` is the contact's link; the account's e-mail has none. */
export const alertMail = (to: {
  readonly host: string
  readonly title: string
  readonly lines: readonly string[]
  readonly facts: readonly (readonly [string, string])[]
  readonly link: { readonly text: string; readonly url: string }
  readonly unsubscribe?: string
}): Mail =>
  composeMail({
    host: to.host,
    subject: to.title,
    paragraphs: to.lines,
    facts: to.facts,
    link: to.link,
    ...(to.unsubscribe !== undefined && { unsubscribe: to.unsubscribe }),
  })
