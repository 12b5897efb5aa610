import { describe, expect, it } from 'vitest'
import {
  UNVERIFIED,
  authorizeAt,
  dueWarning,
  isExpired,
  isVerified,
  verificationMailView,
} from '#domain/contacts/authorization.ts'
import { expiryMail, unsubscribeUrl, verificationMail } from '#domain/contacts/messages.ts'
import { isUnsubscribeToken, signUnsubscribe, unsubscribeUuid } from '#security/signed-links.ts'

const DAY = 86_400_000
const NOW = 1_800_000_000_000

describe('account 9 · an authorization', () => {
  const given = authorizeAt(NOW)
  it.each([
    ['not verified', UNVERIFIED, NOW, false, false],
    ['fresh', given, NOW, true, false],
    ['in its last millisecond', given, NOW + 180 * DAY - 1, true, false],
    ['over', given, NOW + 180 * DAY, true, true],
  ])('%s', (_, authorization, now, verified, expired) => {
    expect([isVerified(authorization), isExpired(authorization, now)]).toEqual([verified, expired])
  })
  it.each([
    [30, 30, 7],
    [29.9, 30, 7],
    [7, 7, 1],
    [3, 7, 1],
    [1, 1, null],
    [0, 1, null],
    [-100, 1, null],
  ])('with %d days left is warned of as %d, next at %s', (left, days, next) => {
    const end = NOW + left * DAY
    expect(dueWarning(end, NOW)).toEqual({ days, nextAt: next === null ? null : end - next * DAY })
  })
})

describe('account 4 · the verification mail on its contact’s row', () => {
  it.each([
    ['pending', 1_000, { mail_pending: 1, mail_error: '', resend_after: 59 }],
    ['pending', 60_000, { mail_pending: 0, mail_error: 'SEND_FAILED', resend_after: 0 }],
    ['sent', 1, { mail_pending: 0, mail_error: '', resend_after: 60 }],
    ['sent', 60_000, { mail_pending: 0, mail_error: '', resend_after: 0 }],
    ['failed', 1_000, { mail_pending: 0, mail_error: 'SEND_FAILED', resend_after: 0 }],
  ] as const)('%s %d ms ago', (mailState, ageMs, view) => {
    expect(verificationMailView({ mailState, mailAt: NOW - ageMs }, NOW)).toEqual(view)
  })
})

describe('mails about contacts', () => {
  const HOST = 'qianfan.netloom.cn'

  it('name who asks, the link and its time, under the brand of the account', () => {
    const { subject, text } = verificationMail(
      HOST,
      '启明智造',
      'https://console.test/validate/email?s=abc',
      'https://console.test/validate/refuse?s=abc',
    )
    expect(subject).toBe('【千帆通】请验证您的告警邮箱')
    expect(text).toContain('“启明智造”希望向此邮箱发送组网告警通知')
    expect(text).toContain('在48小时内打开以下链接完成验证')
    expect(text).toContain('不再接收验证邮件：https://console.test/validate/refuse?s=abc')
    expect(text).toContain('验证邮箱：\nhttps://console.test/validate/email?s=abc')
  })
  it('list the ends', () => {
    const { text } = expiryMail(HOST, [{ email: 'a@b.cn', ends: '2026-11-21 04:00' }], 'https://x')
    expect(text).toContain('a@b.cn：2026-11-21 04:00 到期')
  })
  it('link to the page that unsubscribes', () => {
    expect(unsubscribeUrl('https://console.test', 'u.s')).toBe('https://console.test/validate/unsubscribe?s=u.s')
  })
})

describe('a token to unsubscribe', () => {
  const grant = { accountId: 7, uuid: 'u-1', email: 'a@b.cn' }
  it('is good for its contact at its address, and needs no encoding in a link', async () => {
    const token = await signUnsubscribe('k', grant)
    expect(token).toMatch(/^[\w.-]+$/)
    expect(unsubscribeUuid(token)).toBe('u-1')
    expect(await isUnsubscribeToken('k', grant, token)).toBe(true)
  })
  it.each([{ accountId: 8 }, { uuid: 'u-2' }, { email: 'b@b.cn' }])('is not good for %o', async (over) => {
    expect(await isUnsubscribeToken('k', { ...grant, ...over }, await signUnsubscribe('k', grant))).toBe(false)
  })
})
