import type { Mail } from '../../contract/outside.ts'
import { composeMail } from './compose.ts'

/** Mails that are no code, one function a purpose. Times come as text, in Asia/Shanghai. */

interface Change {
  readonly host: string
  readonly username: string
  /** '修改了登录密码' */
  readonly what: string
  readonly when: string
  readonly ip: string
  /** Device and browser in words. */
  readonly device: string
}

/** Goes to the old and the new contact after a change of password, phone, e-mail or second factor. */
export const changeMail = ({ host, username, what, when, ip, device }: Change): Mail =>
  composeMail({
    host,
    subject: '账号安全提醒',
    paragraphs: [`您的账号${what}。`, '如非本人操作，请立即修改登录密码，并联系服务商。'],
    facts: [
      ['账号', username],
      ['时间', when],
      ['IP地址', ip],
      ['设备', device],
    ],
  })

export const newDeviceMail = (change: Omit<Change, 'what'>): Mail =>
  composeMail({
    host: change.host,
    subject: '新设备登录提醒',
    paragraphs: ['您的账号在新的设备或地点登录。', '如非本人操作，请立即修改登录密码，并结束该登录。'],
    facts: [
      ['账号', change.username],
      ['时间', change.when],
      ['IP地址', change.ip],
      ['设备', change.device],
    ],
  })

/** To a contact person, who has no account: says who entered the address and why. */
export const contactMail = (to: {
  readonly host: string
  readonly company: string
  readonly name: string
  readonly url: string
  readonly hours: number
}): Mail =>
  composeMail({
    host: to.host,
    subject: '联系人邮箱验证',
    paragraphs: [
      `${to.name}，您好：“${to.company}”将您的邮箱设为联系人，用于接收告警通知。`,
      `请在 ${to.hours} 小时内点击链接完成验证。如果您不认识对方，请忽略本邮件，我们不会再向您发送其他邮件。`,
    ],
    link: { text: '验证邮箱', url: to.url },
  })

export const contactExpiryMail = (to: {
  readonly host: string
  readonly company: string
  readonly name: string
  readonly days: number
  readonly url: string
}): Mail =>
  composeMail({
    host: to.host,
    subject: `联系人授权将在${to.days}天后到期`,
    paragraphs: [
      `${to.name}，您好：您作为“${to.company}”联系人的邮箱授权将在 ${to.days} 天后到期，到期后不再接收告警通知。`,
      '如需继续接收，请联系对方在控制台续期。',
    ],
    link: { text: '查看联系人', url: to.url },
  })

/** `days` 0: it has expired. `effect` says what stops. */
export const serviceMail = (to: {
  readonly host: string
  readonly service: string
  readonly days: number
  readonly expiresAt: string
  readonly effect: string
  readonly url: string
}): Mail =>
  composeMail({
    host: to.host,
    subject: to.days > 0 ? `服务将在${to.days}天后到期` : '服务已到期',
    paragraphs: [
      to.days > 0 ? `您的服务“${to.service}”将在 ${to.days} 天后到期。` : `您的服务“${to.service}”已到期。`,
      to.effect,
    ],
    facts: [['到期时间', to.expiresAt]],
    link: { text: '续费', url: to.url },
  })

/** An alert, its reminder or its recovery. `unsubscribe` is the contact's own link; the account's e-mail has none. */
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
