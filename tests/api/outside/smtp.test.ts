import { connect } from 'cloudflare:sockets'
import { env } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import type { OutgoingMail } from '#contract/kernel/outside.ts'
import { codeMail } from '#domain/mail/code.ts'
import type { DeliveryError } from '#outside/delivery-error.ts'
import { createSmtpMail } from '#outside/mail-smtp.ts'
import type { Arrival } from '#tests/support/fakes/arrivals.ts'
import { openFakes } from '#tests/support/fake-services.ts'
import { unique } from '#tests/support/fixtures.ts'

const { arrived, clearFakes, fakes, setModes } = openFakes('smtp')

const TLS_PORT = Number(fakes.bindings.SMTP_PORT)
const MAIN = 'console.netloom.cn'

function mailer(over: Partial<Env> = {}, port = TLS_PORT) {
  const bindings: Env = { ...env, ...fakes.bindings, SMTP_PORT: String(port), ...over }
  return createSmtpMail(bindings, connect)
}

const mail = (over: Partial<OutgoingMail> = {}): OutgoingMail => ({
  host: MAIN,
  ...codeMail({ code: '123456', purpose: 'find_password', host: MAIN }),
  ...over,
})

const received = async (to: string) => (await arrived('smtp', to)) as readonly [Arrival]
const mailbox = () => `${unique('box')}@example.com`

async function failure(work: Promise<unknown>): Promise<Pick<DeliveryError, 'of' | 'isRetryable' | 'code' | 'words'>> {
  const error = await work.then(
    () => new Error('it was sent'),
    (thrown: unknown) => thrown,
  )
  const { of, isRetryable, code, words, message } = error as DeliveryError
  return of === undefined ? Promise.reject(new Error(message)) : { of, isRetryable, code, words }
}

afterEach(clearFakes)

describe('design 9 · mail by SMTP', () => {
  it.each([
    ['TLS', {}, TLS_PORT],
    ['STARTTLS', { SMTP_SECURITY: 'starttls' }, fakes.ports.starttls],
    ['TLS and AUTH LOGIN', {}, fakes.ports.login],
  ] as const)('arrives over %s, in Chinese, as text and HTML', async (_, over, port) => {
    const to = mailbox()
    await mailer(over, port).send(to, mail({ eventId: 'event-1' }))
    const [{ text, detail }] = await received(to)
    expect(text).toContain('您正在找回密码，验证码是 123456')
    expect(detail).toMatchObject({
      from: 'no-reply@netloom.cn',
      recipients: [to],
      sender: { name: '织联', address: 'no-reply@netloom.cn' },
      subject: '【织联】找回密码验证码',
      html: expect.stringContaining('<p>您正在找回密码') as string,
      isEncrypted: true,
    })
    const raw = String(detail['raw'])
    expect(raw).toMatch(/^Message-ID: <event-1@netloom\.cn>\r$/m)
    expect(raw).toMatch(/^[\x20-\x7e\r\n]*$/)
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78)
  })

  it('names the button to unsubscribe of a contact’s mail, which a mailbox may post to over https only', async () => {
    const [over, local, without] = [mailbox(), mailbox(), mailbox()]
    await mailer().send(over, mail({ unsubscribe: 'https://console.netloom.cn/validate/unsubscribe?s=u.1' }))
    await mailer().send(local, mail({ unsubscribe: 'http://127.0.0.1:8787/validate/unsubscribe?s=u.1' }))
    await mailer().send(without, mail())
    const headersOf = async (to: string) => {
      const [{ detail }] = await received(to)
      const list = detail['headers'] as readonly { readonly key: string; readonly value: string }[]
      return Object.fromEntries(list.filter(({ key }) => key.startsWith('list-')).map(({ key, value }) => [key, value]))
    }
    expect(await headersOf(over)).toEqual({
      'list-unsubscribe': '<https://console.netloom.cn/validate/unsubscribe?s=u.1>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
    expect(await headersOf(local)).toEqual({
      'list-unsubscribe': '<http://127.0.0.1:8787/validate/unsubscribe?s=u.1>',
    })
    expect(await headersOf(without)).toEqual({})
  })

  it('signs in without sending to see whether the server works', async () => {
    await mailer().check()
    expect(await arrived('smtp')).toEqual([])
    await setModes({ smtp: 'auth' })
    expect(await failure(mailer().check())).toMatchObject({ of: 'provider', code: '535', isRetryable: false })
  })

  it.each([
    ['auth', { of: 'provider', isRetryable: false, code: '535' }],
    ['sender', { of: 'provider', isRetryable: false, code: '550' }],
    ['recipient', { of: 'recipient', isRetryable: false, code: '550' }],
    ['busy', { of: 'provider', isRetryable: true, code: '451' }],
  ])('a refusal (%s) is classified by whose fault it is, without address, name or password', async (mode, expected) => {
    await setModes({ smtp: mode })
    const to = mailbox()
    const found = await failure(mailer().send(to, mail()))
    expect(found).toMatchObject(expected)
    expect(found.words).not.toContain(to)
    expect(found.words).not.toContain(fakes.bindings.SMTP_USERNAME)
    expect(found.words).not.toContain(fakes.bindings.SMTP_PASSWORD)
  })

  it.each([
    ['untrusted', 'tls'],
    ['untrustedStarttls', 'starttls'],
  ] as const)('nothing is sent to a server whose certificate nobody vouches for (%s)', async (name, SMTP_SECURITY) => {
    const to = mailbox()
    const found = await failure(mailer({ SMTP_SECURITY }, fakes.ports[name]).send(to, mail()))
    expect(found).toMatchObject({ of: 'provider', isRetryable: true })
    expect(await arrived('smtp', to)).toEqual([])
  })

  it.each([
    ['noStarttls', 'CONFIG'], // no downgrade: the password would go out in the clear
    ['injecting', 'STARTTLS'], // CVE-2011-0411
    ['babbling', 'REPLY'],
  ] as const)('a session with the server "%s" ends before the password', async (name, code) => {
    const over = { SMTP_SECURITY: 'starttls' }
    expect(await failure(mailer(over, fakes.ports[name]).check())).toMatchObject({ of: 'provider', code })
  })

  it('a closed port is a failure that may pass', async () => {
    expect(await failure(mailer({}, 1).check())).toMatchObject({ of: 'provider', isRetryable: true })
  })

  it.each([
    ['a@example.com\r\nRCPT TO:<b@example.com>'],
    ['a@example.com>\r\nDATA'],
    ['a@example.com, b@example.com'],
    ['<a@example.com>'],
    ['a b@example.com'],
    ['"a"@example.com'],
    ['a@example.com\0'],
    ['a@localhost'],
    ['é@example.com'],
    [''],
  ])('%j is no mailbox: the server is not even called', async (to) => {
    expect(await failure(mailer({}, 1).send(to, mail()))).toMatchObject({ of: 'recipient', code: 'ADDRESS' })
  })

  it.each([
    ['subject', { subject: '告警\r\nBcc: evil@example.com\r\n\r\n<b>x</b>' }],
    ['text', { text: 'a\r\n.\r\nMAIL FROM:<evil@example.com>\r\n' }],
    ['HTML', { html: '<p>\r\n.\r\nQUIT\r\n</p>' }],
    ['event id', { eventId: 'x>\r\nBcc: <evil@example.com' }],
  ])('a line break in the %s adds no header, recipient or command', async (_, over) => {
    const to = mailbox()
    await mailer().send(to, mail(over))
    const [{ detail }] = await received(to)
    const names = (detail['headers'] as { key: string }[]).map(({ key }) => key)
    expect(names).not.toContain('bcc')
    expect(names).toHaveLength(new Set(names).size)
    expect(detail['recipients']).toEqual([to])
  })

  it('a carrier’s customer gets it under the carrier’s name and address only', async () => {
    const host = 'xingqiao.netloom.cn'
    const to = mailbox()
    await mailer().send(to, { host, ...codeMail({ code: '123456', purpose: 'register', host }) })
    const [{ detail }] = await received(to)
    expect(detail).toMatchObject({
      from: 'no-reply@xingqiao.netloom.cn',
      sender: { name: '星桥云专线控制台', address: 'no-reply@xingqiao.netloom.cn' },
      subject: '【星桥云专线控制台】注册账号验证码',
    })
    expect(JSON.stringify(detail)).not.toContain('织联')
  })

  it.each([
    [{ SMTP_HOST: '' }, 'SMTP_HOST'],
    [{ SMTP_PORT: '25' }, 'SMTP_PORT'],
    [{ SMTP_SECURITY: 'ssl' }, 'SMTP_SECURITY'],
    [{ SMTP_SECURITY: 'none', ENVIRONMENT: 'production' }, 'SMTP_SECURITY'],
    [{ MAIL_SENDERS: '' }, 'MAIL_SENDERS'],
    [{ MAIL_SENDERS: '{"*":"a@b.cn>\\r\\nRCPT"}' }, 'MAIL_SENDERS'],
  ] as const)('the setting %j is named as the fault', async (over, name) => {
    const found = await failure(mailer(over as Partial<Env>, TLS_PORT).send(mailbox(), mail()))
    expect(found).toMatchObject({ of: 'provider', code: 'CONFIG' })
    expect(found.words).toContain(name)
  })

  it('a host without a sender is not written for under another’s, and the server is not to blame', async () => {
    const one = { MAIL_SENDERS: '{"lantu.netloom.cn":"a@b.cn"}' }
    const found = await failure(mailer(one, TLS_PORT).send(mailbox(), mail()))
    expect(found).toMatchObject({ of: 'sender', code: 'CONFIG', words: `MAIL_SENDERS names no sender for ${MAIN}` })
  })
})
