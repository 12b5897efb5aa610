import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import type { CodeMessage, Outside } from '#contract/kernel/outside.ts'
import { type OtpSender, deleteOtp } from '#features/verify/sql/codes.ts'
import { readContact } from '#domain/account/contact.ts'
import { codeMail } from '#domain/mail/code.ts'
import { type SendTimes, checkSendTimes } from '#domain/verify/otp.ts'
import { randomText } from '#security/secrets.ts'
import type { Ctx } from './context.ts'
import { faultText, log } from './log.ts'
import { OTP } from '#contract/verify/limits.ts'

export interface OtpRecipient {
  readonly send_type: 'phone' | 'email'
  readonly send_value: string
}

export const newCode = (): string => randomText('0123456789', OTP.length)

/** Whoever has only an address. */
export function visitorOf({ ipBlock, ipWideBlock }: Ctx): OtpSender {
  return { kind: 'visitor', key: ipWideBlock, accountId: null, address: ipBlock }
}

export async function sendTo(outside: Outside, to: OtpRecipient, message: CodeMessage): Promise<void> {
  if (to.send_type === 'phone') return outside.sms.sendCode(to.send_value, message)
  return outside.mail.send(to.send_value, { ...message, ...codeMail(message) })
}

/** As the row of a code names its recipient. */
export const targetOf = (to: OtpRecipient): string => readContact(to.send_type, to.send_value).target

/** A code that could not be delivered counts for nothing. */
export async function deliverCode(ctx: Ctx, codeId: number, send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    await deleteOtp(ctx.db, codeId)
    if (error instanceof Refusal) throw error // the country is closed, or its day is full
    log('error', 'code_not_sent', { requestId: ctx.requestId, error: faultText(error) })
    refuse('SEND_FAILED')
  }
}

/** The same limits as the insert, on rows of the same transaction. */
export function refuseSending({ now }: Ctx, times: SendTimes): never {
  throwIf(checkSendTimes(times, now))
  throw new Error('a code was not stored although every limit allows it')
}
