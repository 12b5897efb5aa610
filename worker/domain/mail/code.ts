import type { CodeMessage, Mail } from '#contract/kernel/outside.ts'
import type { CodePurpose } from '#contract/verify/index.ts'
import { displayName } from '#domain/site/brand.ts'
import { composeMail } from './compose.ts'
import { OTP } from '#contract/verify/limits.ts'

/* Mail and SMS with a verification code. */

const PURPOSE: Readonly<Record<CodePurpose, string>> = {
  register: '注册账号',
  verify_email: '验证邮箱',
  verify_phone: '验证手机',
  app_change_phone: '绑定成员手机',
  find_password: '找回密码',
  client_login: '登录客户端',
}

/** Names brand and purpose, so that nobody gives away a code for another purpose. */
export function codeMail({ code, purpose, host }: Pick<CodeMessage, 'code' | 'purpose' | 'host'>): Mail {
  return composeMail({
    host,
    subject: `${PURPOSE[purpose]}验证码`,
    paragraphs: [
      `您正在${PURPOSE[purpose]}，验证码是 ${code}，${OTP.minutes} 分钟内有效。`,
      '请勿将验证码告知他人；如非本人操作，请忽略本邮件。',
    ],
  })
}

/** SMS text of the local outbox. Providers fill their own template. */
export function codeSms({ code, purpose, host }: Pick<CodeMessage, 'code' | 'purpose' | 'host'>): string {
  const name = displayName(host)
  const sign = name === null ? '' : `【${name}】`
  return `${sign}您正在${PURPOSE[purpose]}，验证码是 ${code}，${OTP.minutes} 分钟内有效，请勿告知他人。`
}
