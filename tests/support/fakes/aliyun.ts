import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Arrivals, Fake, FakeReply, FakeRequest } from './arrivals.ts'
import { FAKE_KEYS, templateVariable } from './keys.ts'

const SKEW_MS = 15 * 60_000

/** SMS and DirectMail of Alibaba Cloud: the signature is computed anew from what arrived, and nonces are good once. */
export function createAliyun(name: 'aliyun-sms' | 'directmail', host: string): Fake {
  const nonces = new Set<string>()
  return (request, arrivals) => {
    const mode = arrivals.mode(name)
    if (mode === 'timeout') return { hang: true }
    if (mode === 'http500') return { status: 503, body: '<html>503 Service Temporarily Unavailable</html>' }
    const problem = signatureProblem(request, host, arrivals.now())
    const nonce = request.headers['x-acs-signature-nonce'] ?? ''
    if (problem) return refused(400, problem, host)
    if (nonces.has(nonce)) {
      return refused(400, ['SignatureNonceUsed', 'Specified signature nonce was used already.'], host)
    }
    nonces.add(nonce)
    return name === 'aliyun-sms' ? answerSms(request, arrivals, mode, host) : answerMail(request, arrivals, mode, host)
  }
}

type Problem = readonly [code: string, message: string]

function answerSms({ query, headers }: FakeRequest, arrivals: Arrivals, mode: string, host: string): FakeReply {
  if (headers['x-acs-version'] !== '2017-05-25')
    return refused(404, ['InvalidVersion', 'Specified parameter Version is not valid.'], host)
  if (headers['x-acs-action'] === 'QuerySmsSignList') {
    return { body: { Message: 'OK', RequestId: randomUUID(), SmsSignList: [], Code: 'OK' } }
  }
  const [number, sign, template, parameter] = ['PhoneNumbers', 'SignName', 'TemplateCode', 'TemplateParam'].map(
    (key) => query.get(key) ?? '',
  )
  const [code, message] = SMS_FAILURES[mode] ??
    smsProblem({ number, sign, template, parameter: parameter ?? '' }) ?? ['OK', 'OK']
  const text = `【${sign}】${template} ${parameter}`
  arrivals.add({ at: 'aliyun-sms', to: number ?? '', text, detail: { sign, template, parameter }, answer: code })
  return { body: { Message: message, RequestId: randomUUID(), Code: code, ...(code === 'OK' && { BizId: '9006^0' }) } }
}

interface SentSms {
  readonly number: string | undefined
  readonly sign: string | undefined
  readonly template: string | undefined
  readonly parameter: string
}

function smsProblem({ number = '', sign = '', template = '', parameter }: SentSms): Problem | null {
  if (!/^(1[3-9]\d{9}|[1-9]\d{6,14})$/.test(number)) return SMS_FAILURES['number'] ?? null
  if (sign === '' || !/^SMS_\d+$/.test(template)) return SMS_FAILURES['sign'] ?? null
  return parameterProblem(template, parameter)
}

/** TemplateParam names exactly the variables of its template. */
function parameterProblem(template: string, parameter: string): Problem | null {
  const variable = templateVariable(template)
  if (variable === null) return null
  const given = JSON.parse(parameter) as Readonly<Record<string, string>>
  return Object.keys(given).join() === variable && given[variable] !== ''
    ? null
    : ['isv.TEMPLATE_MISSING_PARAMETERS', '模板变量缺失']
}

const SMS_FAILURES: Readonly<Record<string, Problem>> = {
  flow: ['isv.BUSINESS_LIMIT_CONTROL', '触发分钟级流控Permits:1'],
  number: ['isv.MOBILE_NUMBER_ILLEGAL', '号码格式错误'],
  sign: ['isv.SMS_SIGNATURE_ILLEGAL', '该账号下找不到对应签名'],
  balance: ['isv.AMOUNT_NOT_ENOUGH', '账户余额不足'],
}

function answerMail({ body, headers }: FakeRequest, arrivals: Arrivals, mode: string, host: string): FakeReply {
  if (headers['x-acs-version'] !== '2015-11-23')
    return refused(404, ['InvalidVersion', 'Specified parameter Version is not valid.'], host)
  if (headers['x-acs-action'] === 'DescAccountSummary') {
    return { body: { RequestId: randomUUID(), DailyQuota: 2000, QuotaLevel: 2 } }
  }
  const form = new URLSearchParams(body)
  const to = form.get('ToAddress') ?? ''
  const alias = form.get('FromAlias') ?? ''
  const problem: Problem | null =
    mode === 'sender'
      ? ['InvalidMailAddress.NotFound', 'The specified mailAddress does not exist.']
      : mode === 'recipient' || !/^[^\s,@]+@[^\s,@]+$/.test(to)
        ? ['InvalidToAddress', 'The specified toAddress is wrongly formed.']
        : [...alias].length >= 15 || [...(form.get('Subject') ?? '')].length > 100
          ? ['InvalidParameter', 'The specified parameter is too long.']
          : null
  const detail = Object.fromEntries(form)
  arrivals.add({ at: 'directmail', to, text: form.get('TextBody') ?? '', detail, answer: problem?.[0] ?? 'OK' })
  return problem ? refused(400, problem, host) : { body: { EnvId: '600000', RequestId: randomUUID() } }
}

const refused = (status: number, [Code, Message]: Problem, HostId: string): FakeReply => ({
  status,
  body: { RequestId: randomUUID(), HostId, Code, Message },
})

function signatureProblem({ method, query, headers, body }: FakeRequest, host: string, now: number): Problem | null {
  const [, id, names = '', signature = ''] =
    /^ACS3-HMAC-SHA256 Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/.exec(
      headers['authorization'] ?? '',
    ) ?? []
  if (id !== FAKE_KEYS.ALIYUN_ACCESS_KEY_ID)
    return ['InvalidAccessKeyId.NotFound', 'Specified access key is not found.']
  const at = Date.parse(headers['x-acs-date'] ?? '')
  if (!(Math.abs(now - at) <= SKEW_MS))
    return ['InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.']
  const listed = names.split(';')
  const required = [
    'host',
    'x-acs-action',
    'x-acs-content-sha256',
    'x-acs-date',
    'x-acs-signature-nonce',
    'x-acs-version',
  ]
  const hash = createHash('sha256').update(body).digest('hex')
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const canonical = [
    method,
    '/',
    [...query]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join('&'),
    ...listed.map((name) => `${name}:${(name === 'host' ? host : (headers[name] ?? '')).trim()}`),
    '',
    names,
    hash,
  ].join('\n')
  const text = `ACS3-HMAC-SHA256\n${createHash('sha256').update(canonical).digest('hex')}`
  const expected = createHmac('sha256', FAKE_KEYS.ALIYUN_ACCESS_KEY_SECRET).update(text).digest()
  const isRight =
    required.every((name) => listed.includes(name)) &&
    headers['x-acs-content-sha256'] === hash &&
    timingSafeEqual(expected, Buffer.from(signature, 'hex'))
  if (isRight) return null
  return ['SignatureDoesNotMatch', 'Specified signature is not matched with our calculation.']
}
