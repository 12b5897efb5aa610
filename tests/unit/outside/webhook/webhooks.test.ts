import { describe, expect, it } from 'vitest'
import { fieldOf, toMessage } from '#contract/kernel/errors.ts'
import { WEBHOOK_TYPES, type WebhookTarget } from '#contract/kernel/outside.ts'
import { webhookRefusal } from '#outside/webhook/webhooks.ts'
import { KEY, MESSAGE, URLS, target, withInternet } from './harness.ts'
import { ALERT_RULES, type AlertRule } from '#contract/monitor/alert.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'
import { expandNotice } from '#domain/monitor/delivery.ts'
import { newLane, planLane } from '#domain/monitor/lane.ts'
import { type Alert, MANY } from '#domain/monitor/state.ts'
import { findOffenders } from '#tests/support/offenders.ts'

describe('request of a message', () => {
  const sentBy = async (type: WebhookTarget['type'], over: Partial<WebhookTarget> = {}, message = MESSAGE) => {
    const { webhooks, sent } = withInternet()
    await webhooks.send(target(type, over), message)
    const [{ url, init }] = sent as [(typeof sent)[number]]
    const body = String(init.body)
    return { url: new URL(url), headers: new Headers(init.headers), body, json: JSON.parse(body) as unknown, init }
  }
  const text = '【告警】设备离线\n上海总部 离线\n原因：心跳超时\n来源：织联 · 启明智造（demo01）\n事件编号：event-1'

  it('DingTalk: text, the signature in the query in milliseconds', async () => {
    const { url, json } = await sentBy('dingtalk', { secret: 'SEC' })
    expect(url.origin + url.pathname).toBe('https://oapi.dingtalk.com/robot/send')
    expect([...url.searchParams.keys()]).toEqual(['access_token', 'timestamp', 'sign'])
    expect(url.searchParams.get('timestamp')).toMatch(/^\d{13}$/)
    expect(url.searchParams.get('sign')).toMatch(/^[\w+/]{43}=$/)
    expect(json).toEqual({ msgtype: 'text', text: { content: text }, at: { isAtAll: false } })
    expect([...(await sentBy('dingtalk')).url.searchParams.keys()]).toEqual(['access_token'])
  })
  it('Feishu: text, the signature in the body in seconds', async () => {
    const { url, json } = await sentBy('feishu', { secret: 'SEC' })
    expect(url.href).toBe(URLS.feishu)
    expect(json).toEqual({
      timestamp: expect.stringMatching(/^\d{10}$/) as string,
      sign: expect.stringMatching(/^[\w+/]{43}=$/) as string,
      msg_type: 'text',
      content: { text },
    })
    expect((await sentBy('feishu')).json).toEqual({ msg_type: 'text', content: { text } })
  })
  it('Lark goes to Lark', async () => {
    const url = `https://open.larksuite.com/open-apis/bot/v2/hook/${KEY}`
    expect((await sentBy('feishu', { url })).url.href).toBe(url)
  })
  it('WeCom: text, without a signature', async () => {
    const { url, json } = await sentBy('wechat', { secret: 'ignored' })
    expect(url.href).toBe(URLS.wechat)
    expect(json).toEqual({ msgtype: 'text', text: { content: text } })
  })
  it('other: JSON with event id, time and signature in headers, no redirects', async () => {
    const { url, json, headers, init } = await sentBy('other', { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
    expect(url.href).toBe(URLS.other)
    expect(json).toEqual({
      type: 'router.offline',
      timestamp: '2027-01-15T08:00:00.000Z',
      event_id: 'event-1',
      data: {
        title: '设备离线',
        lines: MESSAGE.lines,
        router_name: 'SH-01',
        brand: '织联',
        account: '启明智造（demo01）',
      },
    })
    expect(headers.get('webhook-id')).toBe('event-1')
    expect(headers.get('webhook-signature')).toMatch(/^v1,/)
    expect(init.redirect).toBe('manual')
    expect((await sentBy('other')).headers.has('webhook-signature')).toBe(false)
  })
  it('names of customers call nobody and add no line', async () => {
    const title = '<at user_id="all">所有人</at>\n伪造一行\u202e'
    const { json } = await sentBy('feishu', {}, { ...MESSAGE, title })
    const { text: shown } = (json as { content: { text: string } }).content
    expect(shown.split('\n')[0]).toBe('【告警】＜at user_id="all">所有人＜/at> 伪造一行')
  })
  it('a text that is too long loses lines and keeps title and id', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => `第${i}台设备离线，原因未知`)
    const { json } = await sentBy('wechat', {}, { ...MESSAGE, title: '告'.repeat(2000), lines })
    const { content } = (json as { text: { content: string } }).text
    expect(new TextEncoder().encode(content).length).toBeLessThanOrEqual(WEBHOOK.textMaxBytes)
    expect(content).toMatch(/^【告警】告+…\n/)
    expect(content).toMatch(/\n…另有\d+行\n来源：织联 · 启明智造（demo01）\n事件编号：event-1$/)
  })
})

describe('account 5 · robots with a keyword', () => {
  const alertOf = (rule: AlertRule, object: string): Alert => ({
    id: `${rule}.${object}`,
    rule,
    severity: 'warning',
    object,
    label: '上海',
    networks: [],
    startedAt: 0,
    openedAt: 0,
    endedAt: null,
    reason: '',
    folded: 0,
    live: 0,
    ackBy: null,
    ackAt: null,
    isNotified: true,
    noticeAt: null,
    remindAt: null,
    escalateAt: null,
  })
  const recipients = { mails: [], escalation: [], hasWebhook: true }
  const kinds = ['open', 'reminder', 'recovery'] as const
  const notices = ALERT_RULES.flatMap((rule) =>
    [MANY, 'o'].flatMap((object) => kinds.map((kind) => ({ kind, at: 1, alert: alertOf(rule, object), children: [] }))),
  )
  const deliveries = notices
    .flatMap((notice) => expandNotice(notice, { accountId: 1, recipients, quietUntil: null, now: 0, timeText: String }))
    .filter(({ channel }) => channel === 'webhook')

  it('get 告警 in every message: alerts, reminders, ends, and digests', async () => {
    const digest = planLane(deliveries, newLane('dingtalk', 0), 'dingtalk', 0).send
    expect(digest.map(({ kind }) => kind)).toEqual(['digest'])
    const offenders = await findOffenders(
      [...deliveries, ...digest].flatMap((one) =>
        (['dingtalk', 'feishu', 'wechat'] as const).map((type) => [type, one] as const),
      ),
    )(async (type, { title, lines }) => {
      const { webhooks, sent } = withInternet()
      await webhooks.send(target(type), { ...MESSAGE, title, lines })
      expect(JSON.stringify(sent[0]?.init.body)).toContain(WEBHOOK.keyword)
    })
    expect(offenders).toEqual([])
  })
})

describe('result of an answer', () => {
  const answered = async (type: WebhookTarget['type'], body: unknown, init: ResponseInit = {}) => {
    const { webhooks } = withInternet(() => new Response(typeof body === 'string' ? body : JSON.stringify(body), init))
    return webhooks.send(target(type), MESSAGE)
  }
  const busy = { kind: 'retry', afterMs: WEBHOOK.busyMs }

  it('each answer of each vendor has its outcome', async () => {
    const offenders = await findOffenders([
      ['dingtalk', { errcode: 0, errmsg: 'ok' }, { kind: 'ok', code: '0', words: 'ok' }],
      ['dingtalk', { errcode: 310000, errmsg: 'sign not match' }, { kind: 'permanent', code: '310000' }],
      [
        'dingtalk',
        { errcode: 310000, errmsg: 'description:机器人发送签名不匹配;solution:请确认;link:https://x;' },
        { kind: 'permanent', words: '机器人发送签名不匹配' },
      ],
      [
        'dingtalk',
        { errcode: 310000, errmsg: 'ip 203.0.113.9 not in whitelist' },
        { words: 'ip *** not in whitelist' },
      ],
      ['dingtalk', { errcode: 300005, errmsg: 'token is not exist' }, { kind: 'permanent' }],
      ['dingtalk', { errcode: 400102, errmsg: '机器人已停用' }, { kind: 'permanent' }],
      [
        'dingtalk',
        { status: 1111, wait: 5, errcode: 130101, errmsg: 'send too fast' },
        { kind: 'retry', afterMs: 600_000 },
      ],
      ['dingtalk', { errcode: 410100, errmsg: '发送速度太快而限流' }, { kind: 'retry', afterMs: 600_000 }],
      ['dingtalk', { errcode: -1, errmsg: 'system busy' }, busy],
      ['feishu', { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' }, { kind: 'ok' }],
      ['feishu', { Extra: null, StatusCode: 0, StatusMessage: 'success' }, { kind: 'ok', words: 'success' }],
      ['feishu', { code: 19021, msg: 'sign match fail' }, { kind: 'permanent', code: '19021' }],
      ['feishu', { code: 19001, msg: 'param invalid: incoming webhook access token invalid' }, { kind: 'permanent' }],
      ['feishu', { code: 9499, msg: 'Bad Request' }, { kind: 'permanent' }],
      ['feishu', { code: 11232, msg: 'frequency limited' }, busy],
      ['wechat', { errcode: 0, errmsg: 'ok' }, { kind: 'ok' }],
      [
        'wechat',
        {
          errcode: 93000,
          errmsg: 'invalid webhook url, hint: [1700000000], from ip: 203.0.113.9, more info at https://x',
        },
        { kind: 'permanent', code: '93000', words: 'invalid webhook url' },
      ],
      [
        'wechat',
        { errcode: 45009, errmsg: 'api freq out of limit, hint: [1]' },
        { ...busy, words: 'api freq out of limit' },
      ],
      ['wechat', { errcode: -1, errmsg: 'system error' }, busy],
      ['wechat', { errcode: '0' }, { kind: 'permanent' }],
      ['wechat', '<html>a proxy</html>', { kind: 'permanent', code: '200' }],
      ['wechat', [], { kind: 'permanent' }],
    ] as const)(async (type, body, expected) => {
      expect(await answered(type, body)).toMatchObject(expected)
    })
    expect(offenders).toEqual([])
  })

  it.each([
    [200, 'ok'],
    [204, 'ok'],
    [400, 'permanent'],
    [401, 'permanent'],
    [404, 'permanent'],
    [410, 'permanent'],
    [408, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('other, HTTP %d → %s', async (status, kind) => {
    const { webhooks } = withInternet(() => new Response(status === 204 ? null : 'words', { status }))
    expect(await webhooks.send(target('other'), MESSAGE)).toMatchObject({ kind, code: String(status) })
  })
  it.each([
    ['120', 120_000],
    ['999999', 3_600_000],
    ['soon', WEBHOOK.busyMs],
    ['-5', WEBHOOK.busyMs],
  ])('other, 429 with Retry-After %s waits %d ms', async (value, afterMs) => {
    expect(await answered('other', 'x', { status: 429, headers: { 'retry-after': value } })).toMatchObject({ afterMs })
  })
  it.each(['dingtalk', 'feishu', 'wechat'] as const)('%s: a fault of its server is tried again', async (type) => {
    expect(await answered(type, '<html>', { status: 502 })).toMatchObject({ ...busy, code: '502' })
  })
  it.each(WEBHOOK_TYPES)('%s: a redirect is refused, a lost connection tried again', async (type) => {
    expect(await answered(type, '', { status: 302, headers: { location: 'http://127.0.0.1/' } })).toMatchObject({
      kind: 'permanent',
      code: 'OUTBOUND_REDIRECT',
    })
    const { webhooks } = withInternet(() => Promise.reject(new Error(`failed: ${URLS[type]}`)))
    const lost = await webhooks.send(target(type), MESSAGE)
    expect(lost).toMatchObject({ kind: 'retry', code: 'OUTBOUND_UNREACHABLE' })
    expect(JSON.stringify(lost)).not.toContain(KEY)
  })
  it('no more than 200 characters of the answer are kept, in one line', async () => {
    const { words } = await answered('other', `<script>\n${'拒'.repeat(1000)}`, { status: 400 })
    expect(words.length).toBeLessThanOrEqual(200)
    expect(words).toMatch(/^<script> 拒+$/)
  })
  const SIGN = '签名校验未通过，请核对密钥是否完整，并确认机器人开启了加签'
  const WORD = '机器人设置了其他关键词，请改为“告警”，或改用加签'
  const SOURCE = '机器人限制了来源IP地址，请取消该限制，改用加签或关键词'
  const GONE = '机器人不存在、已停用或已被移除，请重新添加后填写新的地址'
  it('has a sentence of its own for each cause that people can mend, and marks the field', async () => {
    const offenders = await findOffenders([
      ['dingtalk', { errcode: 310000, errmsg: 'description:机器人发送签名不匹配;solution:x;' }, SIGN, 'secret'],
      ['dingtalk', { errcode: 310000, errmsg: 'sign not match' }, SIGN, 'secret'],
      ['dingtalk', { errcode: 310000, errmsg: 'invalid timestamp' }, SIGN, 'secret'],
      ['dingtalk', { errcode: 310000, errmsg: 'keywords not in content, more: [x]' }, WORD, 'keyword'],
      ['dingtalk', { errcode: 310000, errmsg: 'description:关键词不匹配;' }, WORD, 'keyword'],
      ['dingtalk', { errcode: 310000, errmsg: 'ip 203.0.113.9 not in whitelist' }, SOURCE, undefined],
      ['dingtalk', { errcode: 300005, errmsg: 'token is not exist' }, GONE, 'url'],
      ['feishu', { code: 19021, msg: 'sign match fail' }, SIGN, 'secret'],
      ['feishu', { code: 19024, msg: 'Key Words Not Found' }, WORD, 'keyword'],
      ['feishu', { code: 19022, msg: 'Ip Not Allowed' }, SOURCE, undefined],
      ['feishu', { code: 19001, msg: 'param invalid: incoming webhook access token invalid' }, GONE, 'url'],
      ['wechat', { errcode: 93000, errmsg: 'invalid webhook url' }, GONE, 'url'],
      ['wechat', { errcode: 40058, errmsg: 'text.content exceed max length' }, '企业微信返回 40058', 'url'],
    ] as const)(async (type, body, sentence, field) => {
      const result = await answered(type, body)
      if (result.kind === 'ok') throw new Error('accepted')
      const refused = webhookRefusal(type, result)
      expect([toMessage(refused).startsWith(sentence), fieldOf(refused)]).toEqual([true, field])
    })
    expect(offenders).toEqual([])
  })

  it('where nobody answered, no platform is quoted', async () => {
    const { webhooks } = withInternet(() => Promise.reject(new Error('reset')))
    const lost = await webhooks.send(target('dingtalk'), MESSAGE)
    if (lost.kind === 'ok') throw new Error('accepted')
    expect(toMessage(webhookRefusal('dingtalk', lost))).toBe('无法连接“oapi.dingtalk.com”，请检查对方服务后重试')
  })

  it('throttles are tried again by class: ranges of codes, words, status', async () => {
    const offenders = await findOffenders([
      ['dingtalk', { errcode: 90018, errmsg: '您的服务器调用钉钉开放平台当前接口的所有请求都被暂时禁用了' }, 600_000],
      ['dingtalk', { errcode: 90030, errmsg: 'webhook over limit' }, 600_000],
      ['dingtalk', { errcode: 999999, errmsg: '发送过于频繁，请稍后再试' }, 600_000],
      ['feishu', { code: 11233, msg: 'trigger rate limit' }, WEBHOOK.busyMs],
      ['feishu', { code: 230020, msg: 'per-chat limit' }, WEBHOOK.busyMs],
      ['feishu', { code: 99991400, msg: 'request trigger frequency limit' }, WEBHOOK.busyMs],
      ['feishu', { code: 777777, msg: 'too many request' }, WEBHOOK.busyMs],
      ['wechat', { errcode: 45033, errmsg: 'api concurrent out of limit' }, WEBHOOK.busyMs],
      ['wechat', { errcode: 45011, errmsg: 'api minute-quota reach limit' }, WEBHOOK.busyMs],
      // by the code alone, whatever its words
      ['dingtalk', { errcode: 90001, errmsg: 'x' }, 600_000],
      ['dingtalk', { errcode: 90020, errmsg: 'x' }, 600_000],
      ['dingtalk', { errcode: 130101, errmsg: 'x' }, 600_000],
      ['dingtalk', { errcode: 410100, errmsg: 'x' }, 600_000],
      ['feishu', { code: 11232, msg: 'x' }, WEBHOOK.busyMs],
      ['feishu', { code: 11233, msg: 'x' }, WEBHOOK.busyMs],
      ['feishu', { code: 230020, msg: 'x' }, WEBHOOK.busyMs],
      ['feishu', { code: 99991400, msg: 'x' }, WEBHOOK.busyMs],
      ['wechat', { errcode: 45009, errmsg: 'x' }, WEBHOOK.busyMs],
      ['wechat', { errcode: 45033, errmsg: 'x' }, WEBHOOK.busyMs],
      ['wechat', { errcode: 45047, errmsg: 'x' }, WEBHOOK.busyMs],
    ] as const)(async (type, body, afterMs) => {
      expect(await answered(type, body)).toMatchObject({ kind: 'retry', afterMs })
    })
    expect(offenders).toEqual([])
    for (const status of [429, 503])
      expect(await answered('feishu', { code: 5, msg: 'x' }, { status })).toMatchObject({ kind: 'retry' })
  })
})
