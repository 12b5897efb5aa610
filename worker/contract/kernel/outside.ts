import type { AuthSourceType } from '#contract/auth-source/index.ts'
import type { AuthVendor } from '#contract/auth-source/vendor.ts'
import type { CodePurpose } from '#contract/verify/index.ts'

/** Ports to external services (mail, SMS, webhooks, sign-in vendors). The adapters are in worker/outside/. */
export interface Outside {
  readonly sms: SmsPort
  readonly mail: MailPort
  readonly webhook: WebhookPort
  readonly domains: DomainPort
  readonly authVendors: Readonly<Record<AuthSourceType, AuthVendor>>
  /** Gaps in the senders of a channel for these hosts: hosts without a sender, and missing optional templates. */
  readonly gaps: (channel: Channel, hosts: readonly string[]) => Promise<readonly string[]>
  /** Takes the time of a delivery and sends nothing, so that the time does not reveal an unknown name. */
  readonly sendNothing: () => Promise<void>
  /** Keeps captcha texts for people and tests; does nothing outside ENVIRONMENT=local. */
  readonly captchaLog: (uniqid: string, code: string) => Promise<void>
}

export interface DomainPort {
  /** True if the domain serves this file with the token at its root, or DNS has the token. */
  isProved(proof: { readonly domain: string; readonly fileName: string; readonly token: string }): Promise<boolean>
}

/** Channels that have a provider of their own; each has a row of provider_status. */
export const CHANNELS = ['mail', 'sms'] as const
export type Channel = (typeof CHANNELS)[number]

export interface SmsPort {
  /**
   * Throws DeliveryError if the provider refuses, and a Refusal if the country is closed or its daily limit is reached.
   *
   * @param to '+86 13800000000'
   */
  sendCode(to: string, message: CodeMessage): Promise<void>
  /** True if the host has an SMS template of notices for this number. The template is optional. */
  hasNotice(to: string, host: string): Promise<boolean>
  /** Sends a notice about the security of an account. Throws as `sendCode` does. */
  sendNotice(to: string, notice: SmsNotice): Promise<void>
  /** Asks the provider for something that costs nothing; throws as `sendCode` does. */
  check(): Promise<void>
}

/** Notice by SMS. A provider puts the title into its own template; a local run shows the text. */
export interface SmsNotice {
  readonly title: string
  readonly text: string
  /** Host whose brand it carries (domain/site/brand.ts). */
  readonly host: string
}

export interface CodeMessage {
  readonly code: string
  readonly purpose: CodePurpose
  readonly host: string
  readonly uniqid?: string
  /** True for a contact that was looked up by name: its failure must not show in the answers for other names. */
  readonly isByName?: boolean
}

export interface MailPort {
  /** Throws DeliveryError where the server refuses. */
  send(to: string, mail: OutgoingMail): Promise<void>
  /** Signs in without sending; throws as `send` does. */
  check(): Promise<void>
}

/** Subject, text and HTML as domain/mail/ composes them. */
export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Address of a page with a button. A POST to it unsubscribes (RFC 8058). */
  readonly unsubscribe?: string
}

export interface OutgoingMail extends Mail, Partial<Pick<CodeMessage, 'code' | 'uniqid' | 'isByName'>> {
  /** Host that gives the name and address of the sender. */
  readonly host: string
  /** Id that is the same over all repeats of a delivery. */
  readonly eventId?: string
}

export const WEBHOOK_TYPES = ['dingtalk', 'feishu', 'wechat', 'other'] as const
export type WebhookType = (typeof WEBHOOK_TYPES)[number]

export interface WebhookPort {
  /** Sends a message. It never throws: failures are results. */
  send(target: WebhookTarget, message: WebhookMessage): Promise<WebhookResult>
}

export interface WebhookTarget {
  readonly type: WebhookType
  /** Address as typed by the customer and accepted by worker/outside/webhook. */
  readonly url: string
  /** Secret of the webhook; '' for none. */
  readonly secret: string
}

export interface WebhookMessage {
  /** Id that is the same over all repeats of a delivery. */
  readonly eventId: string
  /** Name of the event, as 'router.offline'. */
  readonly event: string
  /** Time of the event, in epoch milliseconds. */
  readonly at: number
  readonly title: string
  readonly lines: readonly string[]
  /** Data for programs: the body of the generic webhook. */
  readonly data: Readonly<Record<string, unknown>>
  readonly sender: WebhookSender
}

/** Account of a message, because a group may get those of several. */
export interface WebhookSender {
  /** Null for an unlisted host. */
  readonly brand: string | null
  readonly account: string
}

/** Causes of permanent refusals that people can mend: wrong signature, keyword, source address, or a removed robot. */
export type WebhookCause = 'signature' | 'keyword' | 'address' | 'robot'

/** Result of a delivery. `code` and `words` of the other side go into the delivery log. A retry waits `afterMs`. */
export type WebhookResult =
  | { readonly kind: 'ok'; readonly code: string; readonly words: string }
  | { readonly kind: 'retry'; readonly code: string; readonly words: string; readonly afterMs: number }
  | { readonly kind: 'permanent'; readonly code: string; readonly words: string; readonly cause?: WebhookCause }
