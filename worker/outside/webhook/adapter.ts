import type { WebhookCause, WebhookMessage, WebhookResult, WebhookTarget } from '#contract/kernel/outside.ts'
import { toLine } from '#domain/mail/compose.ts'
import { safeWords } from '#domain/outbound/safe-words.ts'
import type { Provider } from '#outside/outbound-url.ts'
import type { OutboundReply } from '#outside/outbound.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'

/* Adapter interface of a kind of webhook, and helpers that the robots share. */

/** One kind of webhook: its addresses, its requests, and the meaning of its answers. */
export interface WebhookAdapter {
  /** Name of the platform in sentences. */
  readonly platform: string
  /** Example address of this kind, shown to people. */
  readonly example: string
  isUrl(url: string): boolean
  /** Address without its key, for people who may read but not use it. */
  maskUrl(url: string): string
  build(target: WebhookTarget, message: WebhookMessage, now: number): Promise<WebhookCall>
  interpret(reply: OutboundReply): WebhookResult
}

interface WebhookCall {
  /** API of a robot; null for the customer's own URL. */
  readonly provider: Provider | null
  /** Path and query at the provider, or the whole URL. */
  readonly to: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(text).length

/**
 * Text of a robot's message of every kind: keyword and title, lines, the account, and the id that all its repeats carry. It
 * drops lines that do not fit.
 */
export function toRobotText({ title, lines, sender, eventId }: WebhookMessage): string {
  const [head, ...rest] = [`【${WEBHOOK.keyword}】${title}`, ...lines].map(toLine)
  const from = [sender.brand, sender.account].filter(Boolean).join(' · ')
  const foot = `来源：${cutBytes(toLine(from), WEBHOOK.senderMaxBytes)}\n事件编号：${eventId}`
  const kept = [cutBytes(head ?? '', WEBHOOK.textMaxBytes / 2)]
  for (const [i, line] of rest.entries()) {
    const left = rest.length - i
    const more = `…另有${left}行`
    if (bytesOf([...kept, line, more, foot].join('\n')) > WEBHOOK.textMaxBytes) {
      kept.push(more)
      break
    }
    kept.push(line)
  }
  return [...kept, foot].join('\n')
}

function cutBytes(text: string, max: number): string {
  if (bytesOf(text) <= max) return text
  let kept = ''
  for (const character of text) {
    if (bytesOf(kept + character) > max - 3) break
    kept += character
  }
  return `${kept}…`
}

interface RobotAnswer {
  readonly code: number
  readonly words: string
}

/** Meaning of a robot's refusals. */
export interface RobotCodes {
  /** Throttles and busy servers, also by ranges. Words of a throttle under any other code count, too. */
  isBusy(code: number): boolean
  /** Pause after a throttle. */
  readonly throttledMs: number
  cause(answer: RobotAnswer): WebhookCause | null
}

const THROTTLE_WORDS =
  /\bfreq|rate.?limit|over limit|limited|too (?:fast|many|frequent)|try again|busy|限流|频率|频繁|过快|太快|暂时禁用|繁忙|稍[后候]/i

/** Result of a robot's answer by the code in its body: the status is mostly 200. A status of a busy server is retried. */
export function interpretRobotReply(
  reply: OutboundReply,
  read: (body: Readonly<Record<string, unknown>>) => { readonly code: unknown; readonly words: unknown },
  codes: RobotCodes,
): WebhookResult {
  const body = parseBody(reply)
  const { code: given, words: text } = body === null ? { code: undefined, words: '' } : read(body)
  const words = safeWords(withoutHints(String(text ?? '')))
  const isBusy = reply.status >= 500 || reply.status === 429
  if (typeof given !== 'number') {
    const code = String(reply.status)
    if (isBusy) return { kind: 'retry', code, words: words || '对方服务器暂时无法处理', afterMs: WEBHOOK.busyMs }
    return { kind: 'permanent', code, words: words || '返回的内容无法识别' }
  }
  const code = String(given)
  if (given === 0) return { kind: 'ok', code, words }
  const cause = codes.cause({ code: given, words })
  if (cause !== null) return { kind: 'permanent', code, words, cause }
  if (codes.isBusy(given) || THROTTLE_WORDS.test(words))
    return { kind: 'retry', code, words, afterMs: given === SYSTEM_BUSY ? WEBHOOK.busyMs : codes.throttledMs }
  return isBusy ? { kind: 'retry', code, words, afterMs: WEBHOOK.busyMs } : { kind: 'permanent', code, words }
}

/** Code of DingTalk and WeCom. */
const SYSTEM_BUSY = -1

function parseBody({ text }: OutboundReply): Readonly<Record<string, unknown>> | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Removes the tracing hints and links of the vendor. */
const withoutHints = (words: string): string =>
  words.replace(/^description:([^;]*);.*$/s, '$1').replace(/,? *hint: *\[.*$/s, '')

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const
