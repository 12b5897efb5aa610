import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { Fake, FakeRequest } from './arrivals.ts'
import { FAKE_KEYS, templateVariable } from './keys.ts'

const HOST = 'sms.tencentcloudapi.com'
const SKEW_S = 300

interface SendSms {
  readonly PhoneNumberSet: readonly string[]
  readonly SmsSdkAppId: string
  readonly SignName: string
  readonly TemplateId: string
  readonly TemplateParamSet: readonly string[]
}

/** SMS of Tencent Cloud: API errors under Error, those of a number under its status. */
export const tencentSms: Fake = (request, arrivals) => {
  const mode = arrivals.mode('tencent-sms')
  if (mode === 'timeout') return { hang: true }
  if (mode === 'http500') return { status: 502, body: '<html>502 Bad Gateway</html>' }
  const problem = signatureProblem(request, arrivals.now())
  const action = request.headers['x-tc-action']
  if (problem) return answer({ Error: problem })
  if (request.headers['x-tc-version'] !== '2021-01-11')
    return answer({ Error: { Code: 'NoSuchVersion', Message: '接口版本不存在。' } })
  if (action === 'SendStatusStatistics') return answer({ SendStatusStatistics: { FeeCount: 0 } })
  if (action !== 'SendSms') return answer({ Error: { Code: 'InvalidAction', Message: '接口不存在。' } })
  const sent = JSON.parse(request.body) as SendSms
  const [number = ''] = sent.PhoneNumberSet
  if (mode === 'balance') {
    const Message = 'The package quota is insufficient'
    return answer({ Error: { Code: 'FailedOperation.InsufficientBalanceInSmsPackage', Message } })
  }
  const [Code, Message] =
    NUMBER_FAILURES[mode] ??
    (sent.SmsSdkAppId !== FAKE_KEYS.TENCENT_SMS_APP_ID
      ? ['UnauthorizedOperation.SdkAppIdIsDisabled', 'SdkAppId is disabled']
      : /^\+[1-9]\d{7,14}$/.test(number)
        ? (parameterProblem(sent) ?? ['Ok', 'send success'])
        : NUMBER_FAILURES['number']!)
  const text = `【${sent.SignName}】${sent.TemplateId} ${sent.TemplateParamSet.join(' ')}`
  arrivals.add({ at: 'tencent-sms', to: number, text, detail: { ...sent }, answer: Code })
  return answer({
    SendStatusSet: [
      { SerialNo: randomUUID(), PhoneNumber: number, Fee: 1, SessionContext: '', Code, Message, IsoCode: 'CN' },
    ],
  })
}

/** A code is digits, and each template has one variable. */
const parameterProblem = ({ TemplateId, TemplateParamSet }: SendSms): readonly [string, string] | null => {
  const variable = templateVariable(TemplateId)
  const [first = ''] = TemplateParamSet
  const isRight = TemplateParamSet.length === 1 && first !== '' && /^\d+$/.test(first) === (variable === 'code')
  return variable === null || isRight
    ? null
    : ['FailedOperation.TemplateParamSetNotMatchApprovedTemplate', 'parameters do not match the approved template']
}

const NUMBER_FAILURES: Readonly<Record<string, readonly [string, string]>> = {
  flow: ['LimitExceeded.DeliveryFrequencyLimit', 'delivery frequency limit'],
  number: ['InvalidParameterValue.IncorrectPhoneNumber', 'incorrect phone number'],
  blocked: ['FailedOperation.PhoneNumberInBlacklist', 'phone number in blacklist'],
  sign: ['FailedOperation.SignatureIncorrectOrUnapproved', 'signature is incorrect or unapproved'],
}

const answer = (response: object) => ({ body: { Response: { ...response, RequestId: randomUUID() } } })

function signatureProblem({ headers, body }: FakeRequest, now: number) {
  const [, id, scope = '', names = '', signature] =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers['authorization'] ?? '',
    ) ?? []
  if (id !== FAKE_KEYS.TENCENT_SECRET_ID) return { Code: 'AuthFailure.SecretIdNotFound', Message: '密钥不存在。' }
  const at = Number(headers['x-tc-timestamp'])
  if (!(Math.abs(now / 1000 - at) <= SKEW_S)) return { Code: 'AuthFailure.SignatureExpire', Message: '签名过期。' }
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  const lines = names.split(';').map((name) => {
    const value = name === 'host' ? HOST : (headers[name] ?? '')
    return `${name}:${(name === 'x-tc-action' ? value.toLowerCase() : value).trim()}\n`
  })
  const canonical = ['POST', '/', '', lines.join(''), names, sha(body)].join('\n')
  const date = new Date(at * 1000).toISOString().slice(0, 10)
  let key: Buffer = Buffer.from(`TC3${FAKE_KEYS.TENCENT_SECRET_KEY}`)
  for (const part of [date, 'sms', 'tc3_request']) key = createHmac('sha256', key).update(part).digest()
  const text = ['TC3-HMAC-SHA256', at, scope, sha(canonical)].join('\n')
  const isRight =
    scope === `${date}/sms/tc3_request` &&
    ['content-type', 'host'].every((name) => names.split(';').includes(name)) &&
    createHmac('sha256', key).update(text).digest('hex') === signature
  if (isRight) return null
  const Message = 'The provided credentials could not be validated. Please check your signature is correct.'
  return { Code: 'AuthFailure.SignatureFailure', Message }
}
