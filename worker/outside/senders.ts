import * as z from 'zod'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import type { Channel } from '#contract/kernel/outside.ts'
import type { CodePurpose } from '#contract/verify/index.ts'
import { isMailbox } from '#domain/mail/compose.ts'
import { DeliveryError, misconfigured, refuseSender } from './delivery-error.ts'

/* Senders of mails and SMS by host name: MAIL_SENDERS and SMS_SENDERS, in JSON (infra/docs/deploy.md). */

const mailSenders = z.record(z.string(), z.string().refine(isMailbox))

const smsTemplates = z
  .object({ sign: z.string().min(1), code: z.string().min(1), code_abroad: z.string().optional() })
  .catchall(z.string())
const smsSenders = z.record(z.string(), smsTemplates)

type Senders<T> = Readonly<Record<string, T>>

function parse<T>(name: string, text: string | undefined, schema: z.ZodType<Record<string, T>>): Senders<T> {
  if (text === undefined) return misconfigured(`${name} is not set`)
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return misconfigured(`${name} is no valid JSON of senders`)
  }
}

/** Sender of a host, or else that of `*`, which must carry no brand. Without either nothing is sent for the host. */
const findSender = <T>(senders: Senders<T>, host: string): T | undefined => senders[host] ?? senders['*']

export const mailSender = (env: Env, host: string): string =>
  findSender(parse('MAIL_SENDERS', env.MAIL_SENDERS, mailSenders), host) ?? refuseSender(noMailSender(host))

/** Dial code of a number such as '+86 13800000000'. */
export const toDialCode = (to: string): string => to.slice(1).split(' ')[0] ?? ''

type SmsPurpose = CodePurpose | 'notice'

/** Signature and template of a notice, or of a code by its purpose or for all. Abroad has separate templates. */
export function smsSender(env: Env, host: string, purpose: SmsPurpose, dialCode: string) {
  const found = findSender(parse('SMS_SENDERS', env.SMS_SENDERS, smsSenders), host)
  if (found === undefined) return refuseSender(noSmsSender(host))
  const { sign, ...templates } = found
  const names = templateNames(purpose, dialCode)
  const [template] = names.flatMap((name) => templates[name] ?? [])
  const hasMinutes = templates['minutes'] === '1'
  return { sign, hasMinutes, template: template ?? refuseSender(noTemplate(host, names.at(-1) ?? '')) }
}

/** True if there is a template of notices. Without one a notice goes by mail only. */
export function hasNoticeTemplate(env: Env, host: string, dialCode: string): boolean {
  const found = findSender(parse('SMS_SENDERS', env.SMS_SENDERS, smsSenders), host)
  return found !== undefined && templateNames('notice', dialCode).some((name) => found[name] !== undefined)
}

function templateNames(purpose: SmsPurpose, dialCode: string): readonly string[] {
  const keys = purpose === 'notice' ? ['notice'] : [purpose, 'code']
  return dialCode === DIAL_CODE_DEFAULT ? keys : keys.map((key) => `${key}_abroad`)
}

/** Templates of a host. `notice` is optional; without a template nothing is sent. */
const OF_EACH_HOST = ['code', 'code_abroad', 'notice', 'notice_abroad'] as const

/** Missing senders and templates of a channel for these hosts, in the words of refusals; empty without a provider. */
export function senderGaps(env: Env, channel: Channel, hosts: readonly string[]): readonly string[] {
  const isMail = channel === 'mail'
  if (isUnset(isMail ? env.MAIL_PROVIDER : env.SMS_PROVIDER)) return []
  try {
    return isMail ? mailGaps(env, hosts) : smsGaps(env, hosts)
  } catch (error) {
    if (error instanceof DeliveryError) return [error.words]
    throw error
  }
}

function mailGaps(env: Env, hosts: readonly string[]): readonly string[] {
  const senders = parse('MAIL_SENDERS', env.MAIL_SENDERS, mailSenders)
  return hosts.filter((host) => findSender(senders, host) === undefined).map(noMailSender)
}

function smsGaps(env: Env, hosts: readonly string[]): readonly string[] {
  const senders = parse('SMS_SENDERS', env.SMS_SENDERS, smsSenders)
  return hosts.flatMap((host) => {
    const found = findSender(senders, host)
    if (found === undefined) return [noSmsSender(host)]
    return OF_EACH_HOST.filter((name) => found[name] === undefined).map((name) => noTemplate(host, name))
  })
}

/** True if MAIL_PROVIDER or SMS_PROVIDER names no provider; a local run then uses its outbox. */
export const isUnset = (provider: string | undefined): boolean => provider === undefined || provider === 'outbox'

const noMailSender = (host: string): string => `MAIL_SENDERS names no sender for ${host}`
const noSmsSender = (host: string): string => `SMS_SENDERS names no sender for ${host}`
const noTemplate = (host: string, name: string): string => `SMS_SENDERS names no ${name} for ${host}`
