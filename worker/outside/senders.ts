import * as z from 'zod'
import { DIAL_CODE_DEFAULT } from '../contract/limits.ts'
import type { CodePurpose } from '../contract/verify.ts'
import { isMailbox } from '../domain/mail/address.ts'
import { misconfigured } from './delivery-error.ts'

/** Under which name each host's mails and SMS go out: MAIL_SENDERS and SMS_SENDERS, JSON by host name (infra/docs/deploy.md). */

const mailSenders = z.record(z.string(), z.string().refine(isMailbox))

const smsTemplates = z
  .object({ sign: z.string().min(1), code: z.string().min(1), code_abroad: z.string().optional() })
  .catchall(z.string())
const smsSenders = z.record(z.string(), smsTemplates)

/** `*` is for hosts that are not named, and must carry no brand. A host without either is not sent for under another's name. */
function senderOf<T>(name: string, text: string | undefined, schema: z.ZodType<Record<string, T>>, host: string): T {
  const senders = parse(name, text, schema)
  return senders[host] ?? senders['*'] ?? fail(`${name} names no sender for ${host}`)
}

function parse<T>(name: string, text: string | undefined, schema: z.ZodType<Record<string, T>>): Record<string, T> {
  if (text === undefined) return fail(`${name} is not set`)
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return fail(`${name} is no valid JSON of senders`)
  }
}

function fail(words: string): never {
  throw misconfigured(words)
}

/** Address that mails of this host are sent from. */
export const mailSender = (env: Env, host: string): string =>
  senderOf('MAIL_SENDERS', env.MAIL_SENDERS, mailSenders, host)

/** Signature and template of a code: of its purpose, else of all codes; abroad a template of its own. */
export function smsSender(env: Env, host: string, purpose: CodePurpose, dialCode: string) {
  const { sign, ...templates } = senderOf('SMS_SENDERS', env.SMS_SENDERS, smsSenders, host)
  const isAbroad = dialCode !== DIAL_CODE_DEFAULT
  const names = isAbroad ? [`${purpose}_abroad`, 'code_abroad'] : [purpose, 'code']
  const [template] = names.flatMap((key) => templates[key] ?? [])
  const hasMinutes = templates['minutes'] === '1'
  return { sign, hasMinutes, template: template ?? fail(`SMS_SENDERS names no ${names[1]} for ${host}`) }
}
