import { createHmac } from 'node:crypto'
import type { Arrivals, Fake, FakeReply } from './arrivals.ts'
import { ROBOT_KEYWORD, ROBOT_SECRET } from './keys.ts'

type Name = 'dingtalk' | 'feishu' | 'wecom'
type Failure = 'signature' | 'keyword' | 'rate' | 'gone' | 'malformed'

const HOUR_MS = 3_600_000
const PER_MINUTE: Readonly<Record<Name, number>> = { dingtalk: 20, feishu: 100, wecom: 20 }
const PER_SECOND: Readonly<Record<Name, number>> = { dingtalk: 20, feishu: 5, wecom: 20 }

/** Error bodies in the vendors' own words. */
const ANSWERS: Readonly<Record<Name, Readonly<Record<Failure | 'ok', object>>>> = {
  dingtalk: {
    ok: { errcode: 0, errmsg: 'ok' },
    signature: {
      errcode: 310000,
      errmsg:
        'description:机器人发送签名不匹配;solution:请确认签名和生成签名的时间戳必须都放在调用的网址中;link:请参考本接口对应文档查看获取的办法;',
    },
    keyword: {
      errcode: 310000,
      errmsg: 'keywords not in content, more: [https://ding-doc.dingtalk.com/doc#/serverapi2/qf2nxq]',
    },
    rate: { status: 1111, wait: 5, source: 'x5', errcode: 130101, errmsg: 'send too fast, exceed 20 times per minute' },
    gone: { errcode: 300005, errmsg: 'token is not exist' },
    malformed: { errcode: 40035, errmsg: '缺少参数 json' },
  },
  feishu: {
    ok: { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' },
    signature: { code: 19021, data: {}, msg: 'sign match fail or timestamp is not within one hour from current time' },
    keyword: { code: 19024, data: {}, msg: 'Key Words Not Found' },
    rate: { code: 11232, data: {}, msg: 'frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]' },
    gone: { code: 19001, data: {}, msg: 'param invalid: incoming webhook access token invalid' },
    malformed: { code: 9499, data: {}, msg: 'Bad Request' },
  },
  wecom: {
    ok: { errcode: 0, errmsg: 'ok' },
    signature: {},
    keyword: {},
    rate: {
      errcode: 45009,
      errmsg:
        'api freq out of limit, hint: [1700000000000123456789012], from ip: 203.0.113.9, more info at https://open.work.weixin.qq.com/devtool/query?e=45009',
    },
    gone: {
      errcode: 93000,
      errmsg:
        'invalid webhook url, hint: [1700000000000123456789012], from ip: 203.0.113.9, more info at https://open.work.weixin.qq.com/devtool/query?e=93000',
    },
    malformed: { errcode: 44004, errmsg: 'empty content' },
  },
}

interface Message {
  readonly key: string
  readonly text: string | undefined
  /** As sent; null where there is none. */
  readonly signature: { readonly at: number; readonly sign: string } | null
  readonly expected: string
}

/** A robot of a group. Its key says what it insists on (keys.ts); modes make every one of them fail. */
export function createRobot(name: Name): Fake {
  const times = new Map<string, number[]>()
  return (request, arrivals) => {
    const mode = arrivals.mode(name)
    if (mode === 'timeout') return { hang: true }
    if (mode === 'http500') return { status: 500, body: 'internal error' }
    const message = READ[name](request.path, request.query, request.body)
    if (!message) return { status: 404, body: { errcode: 404, errmsg: 'not found' } }
    const recent = (times.get(message.key) ?? []).filter((at) => at > arrivals.now() - 60_000)
    const inSecond = recent.filter((at) => at > arrivals.now() - 1_000).length
    // Its clock is not that of a test which lets hours pass at once.
    const isFull = mode !== 'unlimited' && (recent.length >= PER_MINUTE[name] || inSecond >= PER_SECOND[name])
    const outcome = decideOutcome(name, message, isFull, mode, arrivals.now())
    if (outcome === 'ok') times.set(message.key, [...recent, arrivals.now()])
    return keep(name, message, outcome, arrivals)
  }
}

function decideOutcome(name: Name, message: Message, isFull: boolean, mode: string, now: number): Failure | 'ok' {
  const { key, text } = message
  if (mode === 'rate' || isFull) return 'rate'
  if (mode === 'gone' || key.startsWith('gone')) return 'gone'
  if (!text) return 'malformed'
  if (name === 'wecom') return Buffer.byteLength(text) > 2048 ? 'malformed' : 'ok'
  return mode === 'keyword' || mode === 'signature' ? mode : checkSecurity({ ...message, text }, now)
}

function checkSecurity({ key, text, signature, expected }: Message & { text: string }, now: number): Failure | 'ok' {
  const isSigned = signature !== null && signature.sign === expected && Math.abs(now - signature.at) <= HOUR_MS
  if (key.startsWith('signed') && !isSigned) return 'signature'
  if (key.startsWith('keyword') && !text.includes(ROBOT_KEYWORD)) return 'keyword'
  return 'ok'
}

function keep(name: Name, { key, text = '' }: Message, outcome: Failure | 'ok', arrivals: Arrivals): FakeReply {
  const [, eventId] = /事件编号：(\S+)/.exec(text) ?? []
  arrivals.add({ at: name, to: key, text, detail: { eventId }, answer: outcome })
  return { body: ANSWERS[name][outcome] }
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64')

const READ: Readonly<Record<Name, (path: string, query: URLSearchParams, body: string) => Message | null>> = {
  dingtalk(path, query, body) {
    if (path !== '/robot/send') return null
    const at = Number(query.get('timestamp'))
    const sign = query.get('sign')
    const content = parse<{ msgtype?: string; text?: { content?: string } }>(body)
    return {
      key: query.get('access_token') ?? '',
      text: content?.msgtype === 'text' ? content.text?.content : undefined,
      signature: sign === null ? null : { at, sign },
      expected: hmac(ROBOT_SECRET, `${at}\n${ROBOT_SECRET}`),
    }
  },
  feishu(path, _, body) {
    const [, key] = /^\/open-apis\/bot\/v2\/hook\/([\w-]+)$/.exec(path) ?? []
    if (key === undefined) return null
    const sent = parse<{ timestamp?: string; sign?: string; msg_type?: string; content?: { text?: string } }>(body)
    const at = Number(sent?.timestamp) * 1000
    return {
      key,
      text: sent?.msg_type === 'text' ? sent.content?.text : undefined,
      signature: sent?.sign === undefined ? null : { at, sign: sent.sign },
      expected: hmac(`${sent?.timestamp}\n${ROBOT_SECRET}`, ''),
    }
  },
  wecom(path, query, body) {
    if (path !== '/cgi-bin/webhook/send') return null
    const sent = parse<{ msgtype?: string; text?: { content?: string } }>(body)
    const text = sent?.msgtype === 'text' ? sent.text?.content : undefined
    return { key: query.get('key') ?? '', text, signature: null, expected: '' }
  },
}

function parse<T>(body: string): T | null {
  try {
    return JSON.parse(body) as T
  } catch {
    return null
  }
}
