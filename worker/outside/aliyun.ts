import * as z from 'zod'
import { PROVIDER } from '#contract/kernel/limits.ts'
import { randomHex } from '#security/secrets.ts'
import { type AliyunCall, signAliyun } from './aliyun-signature.ts'
import { DeliveryError, type FaultOf, misconfigured } from './delivery-error.ts'
import { type Provider, signedHost } from './outbound-url.ts'
import type { Outbound } from './outbound.ts'
import { toDeliveryError } from './to-delivery-error.ts'

const reply = z.object({
  Code: z.string().optional(),
  Message: z.string().optional(),
  RequestId: z.string().optional(),
})

/** Errors of one recipient: a number or mailbox that is wrong, blocked or written to too often. */
const OF_RECIPIENT =
  /^(isv\.(MOBILE_NUMBER_ILLEGAL|BUSINESS_LIMIT_CONTROL|BLACK_?LIST|PHONE_NUMBER_ILLEGAL|MOBILE_COUNT_OVER_LIMIT|DOMESTIC_NUMBER_NOT_SUPPORTED)|InvalidToAddress|InvalidReceiverName)/
const RETRYABLE = /^(isp\.|Throttling|ServiceUnavailable|InternalError|isv\.BUSINESS_LIMIT_CONTROL)/

/** One signed call of an Alibaba Cloud API. Success is in the body: an HTTP status alone proves nothing. */
export async function callAliyun(
  { env, outbound }: { readonly env: Env; readonly outbound: Outbound },
  provider: Provider & ('ALIYUN_SMS' | 'DIRECTMAIL'),
  call: Pick<AliyunCall, 'action' | 'version' | 'query' | 'form'>,
): Promise<void> {
  const { ALIYUN_ACCESS_KEY_ID: id, ALIYUN_ACCESS_KEY_SECRET: secret } = env
  if (!id || !secret) throw misconfigured('ALIYUN_ACCESS_KEY_ID and ALIYUN_ACCESS_KEY_SECRET are not set')
  const date = `${new Date().toISOString().slice(0, 19)}Z`
  const signed = await signAliyun(
    { id, secret },
    { ...call, host: signedHost(env, provider), date, nonce: randomHex(16) },
  )
  const { code, words, isOk } = await toDeliveryError(async () => {
    const { headers, body } = signed
    const request = { method: 'POST', headers, body, timeoutMs: PROVIDER.timeoutMs } as const
    const answer = await outbound.toProvider(provider, signed.path, request)
    const { Code, Message, RequestId } = reply.parse(answer.json())
    // DirectMail answers a success without a code, as the other actions do.
    const isOk = Code === 'OK' || (Code === undefined && RequestId !== undefined && answer.status === 200)
    return { code: Code ?? String(answer.status), words: Message ?? '', isOk }
  })
  if (isOk) return
  const of: FaultOf = OF_RECIPIENT.test(code) ? 'recipient' : 'provider'
  throw new DeliveryError({ of, isRetryable: RETRYABLE.test(code), code, words }, [id, secret])
}
