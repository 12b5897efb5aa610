import { env } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import type { CodeMessage } from '../../../worker/contract/outside.ts'
import { codeMail } from '../../../worker/domain/mail/code.ts'
import type { DeliveryError } from '../../../worker/outside/delivery-error.ts'
import { createDirectMail } from '../../../worker/outside/mail-directmail.ts'
import { createOutbound } from '../../../worker/outside/outbound.ts'
import { createAliyunSms } from '../../../worker/outside/sms-aliyun.ts'
import { createTencentSms } from '../../../worker/outside/sms-tencent.ts'
import { openFakes } from '../../support/fake-services.ts'
import { unique } from '../../support/fixtures.ts'
import { createPhone } from '../../support/otp.ts'

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
    ['tencent-sms', { SMS_SENDERS: '{"lantu.netloom.cn":{"sign":"蓝途","code":"1"}}' }, 'CONFIG'],
  ] as const)('%s with %j fails as %s', async (vendor, over, code) => {
    const sms = smsOf(vendor, over)
    const found = await failure(sms.sendCode('+86 13800000000', message()))
    expect(found).toMatchObject({ of: 'provider', code })
    expect(found.message).not.toContain('13800000000')
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
