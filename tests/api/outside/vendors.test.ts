import { env } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import type { CodeMessage } from '#contract/kernel/outside.ts'
import { codeMail } from '#domain/mail/code.ts'
import type { DeliveryError } from '#outside/delivery-error.ts'
import { createDirectMail } from '#outside/mail-directmail.ts'
import { createOutbound } from '#outside/outbound.ts'
import { createAliyunSms } from '#outside/sms-aliyun.ts'
import { createTencentSms } from '#outside/sms-tencent.ts'
import type { Arrival } from '#tests/support/fakes/arrivals.ts'
import { openFakes } from '#tests/support/fake-services.ts'
import { unique } from '#tests/support/fixtures.ts'
import { createPhone } from '#tests/support/otp.ts'

const { arrived, clearFakes, fakes, setModes } = openFakes('vendors')

const MAIN = 'console.netloom.cn'
const CARRIER = 'xingqiao.netloom.cn'
const message = (over: Partial<CodeMessage> = {}): CodeMessage => ({
  code: '123456',
  purpose: 'register',
  host: MAIN,
  ...over,
})

const bindings = (over: Partial<Env> = {}): Env => ({ ...env, ...fakes.bindings, ...over })
const VENDORS = { 'aliyun-sms': createAliyunSms, 'tencent-sms': createTencentSms } as const
type Vendor = keyof typeof VENDORS
const smsOf = (vendor: Vendor, over: Partial<Env> = {}) =>
  VENDORS[vendor](bindings(over), createOutbound(bindings(over)))
const directMail = (over: Partial<Env> = {}) => createDirectMail(bindings(over), createOutbound(bindings(over)))

const failure = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error('it was sent')),
    (error: unknown) => error as DeliveryError,
  )

afterEach(clearFakes)

describe('design 9 · SMS by Alibaba Cloud and Tencent Cloud', () => {
  it.each([
    ['aliyun-sms', '+86 13800000000', '13800000000', '【织联】SMS_1001 {"code":"123456"}'],
    ['aliyun-sms', '+852 61234567', '85261234567', '【织联】SMS_1002 {"code":"123456"}'],
    ['tencent-sms', '+86 13800000000', '+8613800000000', '【织联】SMS_1001 123456'],
    ['tencent-sms', '+852 61234567', '+85261234567', '【织联】SMS_1002 123456'],
  ] as const)('%s writes to %s as %s', async (vendor, to, number, text) => {
    await smsOf(vendor).sendCode(to, message())
    expect((await arrived(vendor, number))[0]).toMatchObject({ text })
  })

  it.each(['aliyun-sms', 'tencent-sms'] as const)(
    '%s signs with the brand and template of host and purpose',
    async (vendor) => {
      const sms = smsOf(vendor)
      for (const [over, text] of [
        [{ purpose: 'find_password' }, '【织联】SMS_1003'],
        [{ host: CARRIER }, '【星桥云】SMS_2001'],
        [{ host: CARRIER, purpose: 'find_password' }, '【星桥云】SMS_2001'],
        [{ host: 'unlisted' }, '【组网通知】SMS_9001'],
      ] as const) {
        await sms.sendCode(createPhone(), message(over))
        expect((await arrived(vendor))[0]?.text).toContain(text)
      }
    },
  )

  it('Tencent’s template gets the minutes where it asks for them', async () => {
    const SMS_SENDERS = '{"*":{"sign":"织联","code":"1110","minutes":"1"}}'
    await smsOf('tencent-sms', { SMS_SENDERS }).sendCode('+86 13800000000', message())
    expect((await arrived('tencent-sms'))[0]).toMatchObject({ text: '【织联】1110 123456 10' })
  })

  it.each([
    ['aliyun-sms', 'flow', { of: 'recipient', isRetryable: true, code: 'isv.BUSINESS_LIMIT_CONTROL' }],
    ['aliyun-sms', 'number', { of: 'recipient', isRetryable: false, code: 'isv.MOBILE_NUMBER_ILLEGAL' }],
    ['aliyun-sms', 'sign', { of: 'provider', isRetryable: false, code: 'isv.SMS_SIGNATURE_ILLEGAL' }],
    ['aliyun-sms', 'balance', { of: 'provider', code: 'isv.AMOUNT_NOT_ENOUGH', words: '账户余额不足' }],
    ['aliyun-sms', 'http500', { of: 'provider', isRetryable: true, code: 'OUTBOUND_REPLY_INVALID' }],
    ['tencent-sms', 'flow', { of: 'recipient', isRetryable: true, code: 'LimitExceeded.DeliveryFrequencyLimit' }],
    ['tencent-sms', 'blocked', { of: 'recipient', code: 'FailedOperation.PhoneNumberInBlacklist' }],
    ['tencent-sms', 'sign', { of: 'provider', code: 'FailedOperation.SignatureIncorrectOrUnapproved' }],
    ['tencent-sms', 'balance', { of: 'provider', code: 'FailedOperation.InsufficientBalanceInSmsPackage' }],
    ['tencent-sms', 'http500', { of: 'provider', isRetryable: true, code: 'OUTBOUND_REPLY_INVALID' }],
  ] as const)('%s: %s is a failure by the body, whatever the HTTP status', async (vendor, mode, expected) => {
    await setModes({ [vendor]: mode })
    expect(await failure(smsOf(vendor).sendCode(createPhone(), message()))).toMatchObject(expected)
  })

  it.each([
    ['aliyun-sms', { ALIYUN_ACCESS_KEY_SECRET: 'wrong' }, 'SignatureDoesNotMatch'],
    ['aliyun-sms', { ALIYUN_ACCESS_KEY_ID: 'wrong' }, 'InvalidAccessKeyId.NotFound'],
    ['aliyun-sms', { ALIYUN_ACCESS_KEY_SECRET: '' }, 'CONFIG'],
    ['tencent-sms', { TENCENT_SECRET_KEY: 'wrong' }, 'AuthFailure.SignatureFailure'],
    ['tencent-sms', { TENCENT_SECRET_ID: 'wrong' }, 'AuthFailure.SecretIdNotFound'],
    ['tencent-sms', { TENCENT_SMS_APP_ID: '' }, 'CONFIG'],
    ['aliyun-sms', { SMS_SENDERS: '{' }, 'CONFIG'],
  ] as const)('%s with %j fails as %s', async (vendor, over, code) => {
    const sms = smsOf(vendor, over)
    const found = await failure(sms.sendCode('+86 13800000000', message()))
    expect(found).toMatchObject({ of: 'provider', code })
    expect(found.message).not.toContain('13800000000')
  })

  it.each([
    ['aliyun-sms', '{"lantu.netloom.cn":{"sign":"蓝途","code":"1"}}', '+86 13800000000', 'no sender'],
    ['tencent-sms', '{"lantu.netloom.cn":{"sign":"蓝途","code":"1"}}', '+86 13800000000', 'no sender'],
    ['aliyun-sms', '{"*":{"sign":"组网通知","code":"SMS_1"}}', '+852 61234567', 'no code_abroad'],
    ['tencent-sms', '{"*":{"sign":"组网通知","code":"1"}}', '+852 61234567', 'no code_abroad'],
  ] as const)('%s with %j does not send to %s, and the provider is not to blame', async (vendor, text, to, words) => {
    const found = await failure(smsOf(vendor, { SMS_SENDERS: text }).sendCode(to, message()))
    expect(found).toMatchObject({ of: 'sender', isRetryable: false, code: 'CONFIG' })
    expect(found.words).toBe(`SMS_SENDERS names ${words} for ${MAIN}`)
    expect(await arrived(vendor)).toEqual([])
  })

  it.each([
    ['aliyun-sms', { ALIYUN_ACCESS_KEY_SECRET: 'wrong' }, 'SignatureDoesNotMatch'],
    ['aliyun-sms', { ALIYUN_ACCESS_KEY_ID: '' }, 'CONFIG'],
    ['tencent-sms', { TENCENT_SECRET_KEY: 'wrong' }, 'AuthFailure.SignatureFailure'],
    ['tencent-sms', { TENCENT_SMS_APP_ID: '' }, 'CONFIG'],
  ] as const)('%s with %j is found by its check', async (vendor, over, code) => {
    expect(await failure(smsOf(vendor, over).check())).toMatchObject({ of: 'provider', code })
  })

  it.each(['aliyun-sms', 'tencent-sms'] as const)('%s is checked without sending', async (vendor) => {
    await smsOf(vendor).check()
    expect(await arrived(vendor)).toEqual([])
  })
})

describe('design 9 · notices by SMS', () => {
  const notice = (host: string) => ({ title: '登录密码已修改', text: '不在短信中', host })
  const SENT = {
    'aliyun-sms': (template: string) => `${template} {"title":"登录密码已修改"}`,
    'tencent-sms': (template: string) => `${template} 登录密码已修改`,
  } as const

  it.each(
    (['aliyun-sms', 'tencent-sms'] as const).flatMap((vendor) =>
      [
        [MAIN, '+86 13800000000', '【织联】', 'SMS_1008'],
        [MAIN, '+852 61234567', '【织联】', 'SMS_1009'],
        [CARRIER, '+86 13800000000', '【星桥云】', 'SMS_2008'],
        [CARRIER, '+852 61234567', '【星桥云】', 'SMS_2009'],
      ].map((row) => [vendor, ...row] as unknown as readonly [Vendor, string, string, string, string]),
    ),
  )('%s: those of %s to %s are signed %s, with the title in %s', async (vendor, host, to, sign, template) => {
    const sms = smsOf(vendor)
    expect(await sms.hasNotice(to, host)).toBe(true)
    await sms.sendNotice(to, notice(host))
    const [{ text, answer }] = (await arrived(vendor)) as readonly [Arrival]
    expect({ text, answer: answer.toUpperCase() }).toEqual({ text: `${sign}${SENT[vendor](template)}`, answer: 'OK' })
  })

  it.each(['aliyun-sms', 'tencent-sms'] as const)('%s: a wrong key is found by the signature', async (vendor) => {
    const over = { ALIYUN_ACCESS_KEY_SECRET: 'wrong', TENCENT_SECRET_KEY: 'wrong' }
    const found = await failure(smsOf(vendor, over).sendNotice('+86 13800000000', notice(MAIN)))
    expect(found.code).toMatch(/^(SignatureDoesNotMatch|AuthFailure\.SignatureFailure)$/)
    expect(await arrived(vendor)).toEqual([])
  })

  it.each(['aliyun-sms', 'tencent-sms'] as const)(
    '%s: a host without a template is known before, and never sent under another’s',
    async (vendor) => {
      const sms = smsOf(vendor)
      expect(await sms.hasNotice('+86 13800000000', 'unlisted')).toBe(false)
      const found = await failure(sms.sendNotice('+86 13800000000', notice('unlisted')))
      expect(found).toMatchObject({ of: 'sender', words: 'SMS_SENDERS names no notice for unlisted' })
      const mainland = { SMS_SENDERS: '{"*":{"sign":"组网通知","code":"SMS_1","notice":"SMS_2"}}' }
      expect(await smsOf(vendor, mainland).hasNotice('+86 13800000000', MAIN)).toBe(true)
      expect(await smsOf(vendor, mainland).hasNotice('+852 61234567', MAIN)).toBe(false)
      expect(await arrived(vendor)).toEqual([])
    },
  )
})

describe('design 9 · mail by DirectMail', () => {
  const mail = (host = MAIN) => ({ host, ...codeMail({ code: '123456', purpose: 'register', host }) })

  it('arrives under the host’s name and address, as text and HTML', async () => {
    const to = `${unique('box')}@example.com`
    await directMail().send(to, mail(CARRIER))
    expect((await arrived('directmail', to))[0]).toMatchObject({
      text: expect.stringContaining('验证码是 123456') as string,
      detail: {
        AccountName: 'no-reply@xingqiao.netloom.cn',
        AddressType: '1',
        ReplyToAddress: 'false',
        FromAlias: '星桥云专线控制台',
        Subject: '【星桥云专线控制台】注册账号验证码',
        HtmlBody: expect.stringContaining('<p>') as string,
      },
    })
  })

  it('carries the headers to unsubscribe, and lets the vendor add no list of its own', async () => {
    const [listed, without] = [`${unique('box')}@example.com`, `${unique('box')}@example.com`]
    await directMail().send(listed, { ...mail(), unsubscribe: 'https://console.netloom.cn/validate/unsubscribe?s=u.1' })
    await directMail().send(without, mail())
    const [{ detail }] = (await arrived('directmail', listed)) as readonly [Arrival]
    expect(JSON.parse(String(detail['Headers']))).toEqual({
      'List-Unsubscribe': '<https://console.netloom.cn/validate/unsubscribe?s=u.1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    const [other] = await arrived('directmail', without)
    expect(other!.detail).not.toHaveProperty('Headers')
    for (const found of [detail, other!.detail]) expect(found).toMatchObject({ UnSubscribeLinkType: 'disabled' })
  })

  it.each([
    ['sender', { of: 'provider', code: 'InvalidMailAddress.NotFound' }],
    ['recipient', { of: 'recipient', code: 'InvalidToAddress' }],
    ['http500', { of: 'provider', isRetryable: true }],
  ])('%s is a failure', async (mode, expected) => {
    await setModes({ directmail: mode })
    expect(await failure(directMail().send(`${unique()}@example.com`, mail()))).toMatchObject(expected)
  })

  it('writes to one mailbox only: a comma would part two', async () => {
    expect(await failure(directMail().send('a@example.com,b@example.com', mail()))).toMatchObject({ code: 'ADDRESS' })
    expect(await arrived('directmail')).toEqual([])
  })

  it('is checked without sending, and a wrong key is found', async () => {
    await directMail().check()
    expect(await arrived('directmail')).toEqual([])
    const wrong = directMail({ ALIYUN_ACCESS_KEY_SECRET: 'wrong' })
    expect(await failure(wrong.check())).toMatchObject({ code: 'SignatureDoesNotMatch' })
  })
})
