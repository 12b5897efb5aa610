import type { Mail } from '#contract/kernel/outside.ts'
import { type Severity, SEVERITY_WORD } from '#contract/monitor/alert.ts'
import { composeMail } from './compose.ts'

/** Ticket that renews a service. */
export const renewalUrl = (origin: string, service: string): string =>
  `${origin}/ticket/create?service_name=${encodeURIComponent(service)}`

/** Shape and colour of each severity: 4.4:1 at least on white and on black, which a mail program chooses. */
const MARK: Readonly<Record<Severity, readonly [shape: string, color: string]>> = {
  critical: ['▲', '#cf3f31'],
  warning: ['◆', '#ad6200'],
  notice: ['●', '#6b7482'],
}
const MARKS = new Map(Object.entries(MARK).map(([severity, mark]) => [SEVERITY_WORD[severity as Severity], mark]))

type Fact = readonly [name: string, value: string]

/** Marks the severity, which is the first fact of a notice. */
function withMark([first, ...others]: readonly Fact[]): readonly (readonly [string, string, string?])[] {
  if (first === undefined) return []
  const [name, value] = first
  const mark = MARKS.get(value)
  return [mark === undefined ? first : [name, `${mark[0]} ${value}`, mark[1]], ...others]
}

/** Mail of an alert, its reminder or its recovery. `unsubscribe` is the contact's link; the account's e-mail has none. */
export const alertMail = (to: {
  readonly host: string
  readonly title: string
  readonly lines: readonly string[]
  readonly facts: readonly Fact[]
  /** A recovery: its severity is no alarm any more. */
  readonly isOver: boolean
  readonly link: { readonly text: string; readonly url: string }
  readonly unsubscribe?: string
}): Mail =>
  composeMail({
    host: to.host,
    subject: to.title,
    paragraphs: to.lines,
    facts: to.isOver ? to.facts : withMark(to.facts),
    link: to.link,
    ...(to.unsubscribe !== undefined && { unsubscribe: to.unsubscribe }),
  })
