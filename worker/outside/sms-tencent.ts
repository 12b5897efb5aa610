import * as z from 'zod'
import type { SmsPort } from '#contract/kernel/outside.ts'
import { PROVIDER } from '#contract/kernel/limits.ts'
import { DeliveryError, misconfigured, toDeliveryError } from './delivery-error.ts'
import { signedHost } from './outbound-url.ts'
import type { Outbound } from './outbound.ts'
import { hasNoticeTemplate, smsSender, toDialCode } from './senders.ts'
import { OTP } from '#contract/verify/limits.ts'
import { hmacSha256, sha256, toHex } from '#security/secrets.ts'

/* SMS by Tencent Cloud (2021-01-11), with the signature of its API. */

const reply = z.object({
  Response: z.object({
    Error: z.object({ Code: z.string(), Message: z.string() }).optional(),
    /** Status of each number. The call succeeds even if a number was refused. */
    SendStatusSet: z.array(z.object({ Code: z.string(), Message: z.string() })).optional(),
  }),
})

const OF_RECIPIENT =
  /^(InvalidParameterValue\.IncorrectPhoneNumber|FailedOperation\.PhoneNumberInBlacklist|LimitExceeded\.(DeliveryFrequencyLimit|PhoneNumber\w*Limit)|UnsupportedOperation\.)/
const RETRYABLE = /^(InternalError|RequestLimitExceeded|LimitExceeded|ResourceUnavailable)/

/** Creates the port. Templates take the code and, if SMS_SENDERS has `"minutes": "1"`, its minutes. */
export function createTencentSms(env: Env, outbound: Outbound): SmsPort {
  const call = async (action: string, body: object): Promise<void> => {
    const { TENCENT_SECRET_ID: id, TENCENT_SECRET_KEY: secret, TENCENT_SMS_REGION: region = 'ap-guangzhou' } = env
    if (!id || !secret) return misconfigured('TENCENT_SECRET_ID and TENCENT_SECRET_KEY are not set')
    const text = JSON.stringify(body)
    const [host, atSeconds] = [signedHost(env, 'TENCENT_SMS'), Math.floor(Date.now() / 1000)]
    const terms = { host, service: 'sms', action, version: '2021-01-11', region, body: text, atSeconds }
    const headers = await signTencent({ id, secret }, terms)
    const failure = await toDeliveryError(async () => {
      const request = { method: 'POST', headers, body: text, timeoutMs: PROVIDER.timeoutMs } as const
      const answer = await outbound.toProvider('TENCENT_SMS', '/', request)
      const { Error: refused, SendStatusSet } = reply.parse(answer.json()).Response
      const isSend = action === 'SendSms'
      const missing = isSend && !SendStatusSet?.[0] ? { Code: 'REPLY', Message: 'no status of the number' } : undefined
      return refused ?? missing ?? SendStatusSet?.find(({ Code }) => Code !== 'Ok')
    })
    if (!failure) return
    const { Code: code, Message: words } = failure
    const of = OF_RECIPIENT.test(code) ? 'recipient' : 'provider'
    throw new DeliveryError({ of, isRetryable: RETRYABLE.test(code), code, words }, [id, secret])
  }
  const appId = () => env.TENCENT_SMS_APP_ID || misconfigured('TENCENT_SMS_APP_ID is not set')
  const send = async (to: string, { sign, template }: ReturnType<typeof smsSender>, params: readonly string[]) =>
    call('SendSms', {
      PhoneNumberSet: [to.replace(' ', '')],
      SmsSdkAppId: appId(),
      SignName: sign,
      TemplateId: template,
      TemplateParamSet: params,
    })
  return {
    async sendCode(to, { code, purpose, host }) {
      const sender = smsSender(env, host, purpose, toDialCode(to))
      await send(to, sender, sender.hasMinutes ? [code, String(OTP.minutes)] : [code])
    },
    hasNotice: async (to, host) => hasNoticeTemplate(env, host, toDialCode(to)),
    async sendNotice(to, { title, host }) {
      await send(to, smsSender(env, host, 'notice', toDialCode(to)), [title])
    },
    check: async () => {
      const hour = new Date().toISOString().slice(0, 13).replace(/[-T]/g, '')
      const range = { BeginTime: hour, EndTime: hour, Limit: 0, Offset: 0 }
      await call('SendStatusStatistics', { ...range, SmsSdkAppId: appId() })
    },
  }
}

/** Signature version 3 of Tencent Cloud's API. */
const ALGORITHM = 'TC3-HMAC-SHA256'
const CONTENT_TYPE = 'application/json; charset=utf-8'

interface TencentCall {
  readonly host: string
  readonly service: string
  readonly action: string
  readonly version: string
  readonly region: string
  readonly body: string
  readonly atSeconds: number
}

/** Headers of the call except `host`, which fetch sets. */
export async function signTencent({ id, secret }: { readonly id: string; readonly secret: string }, call: TencentCall) {
  const { host, service, action, version, region, body, atSeconds } = call
  const signed = { 'content-type': CONTENT_TYPE, host, 'x-tc-action': action.toLowerCase() }
  const names = Object.keys(signed).join(';')
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
  const request = ['POST', '/', '', lines.join(''), names, toHex(await sha256(body))].join('\n')
  const date = new Date(atSeconds * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const text = [ALGORITHM, atSeconds, scope, toHex(await sha256(request))].join('\n')
  const key = await hmacSha256(await hmacSha256(await hmacSha256(`TC3${secret}`, date), service), 'tc3_request')
  const signature = toHex(await hmacSha256(key, text))
  return {
    'content-type': CONTENT_TYPE,
    'x-tc-action': action,
    'x-tc-version': version,
    'x-tc-timestamp': String(atSeconds),
    ...(region !== '' && { 'x-tc-region': region }),
    authorization: `${ALGORITHM} Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
