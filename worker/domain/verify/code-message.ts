import { OTP } from '../../contract/limits.ts'

/** What a person reads who asked for a code. SMS providers fill their own template; this is the mail and the outbox. */
export function codeMail(code: string): { subject: string; text: string } {
  return {
    subject: '验证码',
    text: `您的验证码是 ${code}，${OTP.minutes} 分钟内有效。请勿告知他人；如非本人操作，请忽略本邮件。`,
  }
}
