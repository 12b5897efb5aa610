import { describe, expect, it } from 'vitest'
import { CODE_PURPOSES } from '#contract/verify/index.ts'
import type { Mail } from '#contract/kernel/outside.ts'
import { expiryMail, verificationMail } from '#domain/contacts/messages.ts'
import { codeMail, codeSms } from '#domain/mail/code.ts'
import { composeMail, isMailbox } from '#domain/mail/compose.ts'
import { alertMail } from '#domain/mail/alert.ts'
import { replyMail } from '#domain/ticket/notices.ts'
import { toMime } from '#outside/mime.ts'
import { PAYLOADS } from '#tests/support/hostile/payloads.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const MAIN = 'console.netloom.cn'
const CARRIER = 'xingqiao.netloom.cn'
const PAYLOAD = '<img src=x onerror=alert(1)>"\'&\r\nBcc: x@y.cn\u202e'

/** Texts that would start another header, or end the mail. */
const HEADERS = [
  'x\r\nBcc: evil@evil.example',
  'x\nBcc: evil@evil.example',
  'x\rBcc: evil@evil.example',
  'x\r\n\r\n<svg onload=xss()>',
  'x\r\n.\r\nMAIL FROM:<evil@evil.example>',
  'x\u2028Bcc: evil@evil.example',
  'x\u0085Bcc: evil@evil.example',
  'x\0Bcc: evil@evil.example',
  'x\u000bBcc: evil@evil.example',
  'x%0d%0aBcc: evil@evil.example',
  '=?UTF-8?B?DQpCY2M6IGV2aWxAZXZpbC5leGFtcGxl?=',
  'x" <evil@evil.example>, "y',
  '--b\r\nContent-Type: text/html',
]

/** The HTML without the tags that our mails are made of. */
const withoutOwnTags = ({ html }: Mail) =>
  html.replace(/<\/?(a|p|br|hr|table|tr|td|html|head|meta|body)\b[^<>]*>|<!doctype html>/g, '')

/** Every mail of the catalogue, with a customer's text wherever one may stand. */
const every = (host: string, text = '启明智造'): Readonly<Record<string, Mail>> => ({
  contact: verificationMail(host, text, 'https://x.cn/validate?s=1&t=2', 'https://x.cn/refuse?s=1'),
  contactExpiry: expiryMail(host, [{ email: text, ends: text }], 'https://x.cn/'),
  alert: alertMail({
    host,
    title: text,
    lines: [text, text],
    facts: [[text, text]],
    isOver: false,
    link: { text: '查看详情', url: 'https://x.cn/' },
    unsubscribe: 'https://x.cn/unsubscribe?s=1',
  }),
  code: codeMail({ code: '123456', purpose: 'find_password', host }),
  ticketReply: replyMail({
    host,
    number: 'T20261120000001',
    title: text,
    reply: `${text}\n${text}`,
    images: 2,
    url: 'https://x.cn/ticket/detail?ticket_number=T20261120000001',
  }),
})

describe('alert mails', () => {
  const LINK = { text: '查看详情', url: 'https://x.cn/' }
  const mail = (severity: string, isOver: boolean) => {
    const facts = [
      ['级别', severity],
      ['原因', severity],
    ] as const
    return alertMail({ host: MAIN, title: '告警', lines: [], facts, isOver, link: LINK })
  }

  it.each([
    ['严重', '▲', '#cf3f31'],
    ['警告', '◆', '#ad6200'],
    ['提醒', '●', '#6b7482'],
  ])('an open one shows %s by shape and colour', (severity, shape, color) => {
    const { text, html } = mail(severity, false)
    expect(text).toContain(`级别：${shape} ${severity}\n原因：${severity}`)
    expect(html).toContain(`<td>级别</td><td style="color:${color};font-weight:bold">${shape} ${severity}</td>`)
    expect(html).toContain(`<td>原因</td><td>${severity}</td>`)
  })

  it('one that is over is not red any more', () => {
    const { text, html } = mail('严重', true)
    expect(text).toContain('级别：严重')
    expect(html).not.toContain('style=')
  })
})

describe('mails', () => {
  it.each(Object.entries(every(MAIN)))('%s carries the brand, and says the same as text and as HTML', (_, mail) => {
    expect(mail.subject).toMatch(/^【织联】./)
    const words = (text: string) => text.match(/\p{Script=Han}{2,}/gu) ?? []
    for (const word of words(mail.text).filter((found) => found !== '退订')) expect(mail.html).toContain(word)
    expect(mail.html).toMatch(/^<!doctype html>/)
  })

  it.each(Object.entries(every(CARRIER)))('%s of a carrier names the carrier only', (_, mail) => {
    expect(mail.subject).toMatch(/^【星桥云专线控制台】/)
    expect(JSON.stringify(mail)).not.toMatch(/织联|netloom/i)
  })

  it.each(Object.entries(every('unlisted')))('%s of a host that is not listed names nobody', (_, mail) => {
    expect(JSON.stringify(mail)).not.toMatch(/【|织联|netloom/i)
  })

  it.each(Object.entries(every(MAIN, PAYLOAD)))('%s shows what customers typed as text', (_, mail) => {
    expect(mail.subject).not.toMatch(/[\r\n\u202e]/)
    expect(mail.text).not.toContain('\u202e')
    expect(mail.html).not.toContain('<img')
    expect(withoutOwnTags(mail)).not.toMatch(/[<>]/)
  })

  it('no payload is markup, another header or another recipient in any mail', () => {
    const own = ['From', 'To', 'Subject', 'Date', 'Message-ID', 'Auto-Submitted']
    const unsubscribing = ['List-Unsubscribe', 'List-Unsubscribe-Post']
    const names = ({ unsubscribe }: Mail) =>
      own.concat(unsubscribe === undefined ? [] : unsubscribing, 'MIME-Version', 'Content-Type')
    for (const text of [...PAYLOADS, ...HEADERS])
      for (const mail of Object.values(every(MAIN, text))) {
        expect([text, withoutOwnTags(mail)]).toEqual([text, expect.not.stringMatching(/[<>]/)])
        const from = { name: text, address: 'no-reply@netloom.cn' }
        const rest = { to: 'a@b.cn', at: 0, messageId: '<1@x>', boundary: 'b' }
        const [head = ''] = toMime({ ...mail, ...rest, from }).split('\r\n\r\n')
        const lines = head.replaceAll('\r\n ', '').split('\r\n')
        expect([text, lines.map((line) => line.split(':')[0])]).toEqual([text, names(mail)])
        // eslint-disable-next-line no-control-regex -- ASCII
        expect(head).toMatch(/^[\x20-\x7e\r\n]+$/)
      }
  })

  it('mails to contacts have a link that ends them: alerts, and verifications', () => {
    const mails = Object.entries(every(MAIN))
    expect(mails.filter(([, mail]) => mail.unsubscribe !== undefined).map(([name]) => name)).toEqual([
      'contact',
      'alert',
    ])
  })

  it('a link that is none of the web’s is no link', () => {
    const link = { text: 'x', url: 'javascript:alert(1)' }
    expect(composeMail({ host: MAIN, subject: 's', paragraphs: [], link }).html).not.toContain('href')
  })

  it('a subject is cut by characters, as the shortest limit of a vendor wants it', () => {
    const { subject } = composeMail({ host: MAIN, subject: '😀'.repeat(200), paragraphs: [] })
    expect([...subject]).toHaveLength(90)
    expect(subject).toMatch(/^【织联】😀+…$/u)
  })
})

describe('account 8 · codes', () => {
  it.each(CODE_PURPOSES)('%s is named, with the brand, by mail and SMS', (purpose) => {
    const mail = codeMail({ code: '123456', purpose, host: MAIN })
    const [, name = ''] = /^【织联】(.+)验证码$/.exec(mail.subject) ?? []
    expect(name).not.toBe('')
    expect(mail.text).toContain(`您正在${name}，验证码是 123456，10 分钟内有效`)
    expect(codeSms({ code: '123456', purpose, host: MAIN })).toMatch(
      new RegExp(`^【织联】您正在${name}，验证码是 123456`),
    )
  })
  it('each purpose has a name of its own', () => {
    const subjects = CODE_PURPOSES.map((purpose) => codeMail({ code: '1', purpose, host: MAIN }).subject)
    expect(new Set(subjects).size).toBe(CODE_PURPOSES.length)
  })
})

describe('mailboxes', () => {
  it.each(['a@b.cn', 'first.last+tag@sub.example.com', "o'neil@example.com", 'a_b-c@example.xn--fiqs8s'])(
    '%s',
    (text) => expect(isMailbox(text)).toBe(true),
  )
  it('texts of another form are none', async () => {
    const offenders = await findOffenders([
      'a@b',
      'a@b.cn\n',
      'a\n@b.cn',
      'a@b.cn,c@d.cn',
      '<a@b.cn>',
      'a b@c.cn',
      '.a@b.cn',
      'a..b@c.cn',
      'a@-b.cn',
      'a@b..cn',
      'a@[127.0.0.1]',
      'a@127.0.0.1',
      'a@b.cn>',
      `${'a'.repeat(60)}@b.cn`,
    ])((text) => expect(isMailbox(text)).toBe(false))
    expect(offenders).toEqual([])
  })
})
