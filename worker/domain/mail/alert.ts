import type { Mail } from '#contract/kernel/outside.ts'
import { composeMail } from './compose.ts'

/** Mail of an alert, its reminder or its recovery. `unsubscribe` is the contact's link; the account's e-mail has none. */
export const alertMail = (to: {
  readonly host: string
  readonly title: string
  readonly lines: readonly string[]
  readonly facts: readonly (readonly [string, string])[]
  readonly url: string
  readonly unsubscribe?: string
}): Mail =>
  composeMail({
    host: to.host,
    subject: to.title,
    paragraphs: to.lines,
    facts: to.facts,
    link: { text: '查看详情', url: to.url },
    ...(to.unsubscribe !== undefined && { unsubscribe: to.unsubscribe }),
  })
