import { env } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import type { WebhookMessage, WebhookTarget, WebhookType } from '#contract/kernel/outside.ts'
import { createOutbound } from '#outside/outbound.ts'
import { createWebhooks } from '#outside/webhook/webhooks.ts'
import { openFakes } from '#tests/support/fake-services.ts'
import { ROBOT_SECRET } from '#tests/support/fakes/keys.ts'
import { unique } from '#tests/support/fixtures.ts'

const { arrived, clearFakes, fakes, setModes } = openFakes('robots')

/** Name of the fake and address of each kind. */
const ROBOTS = {
  dingtalk: ['dingtalk', 'https://oapi.dingtalk.com/robot/send?access_token='],
  feishu: ['feishu', 'https://open.feishu.cn/open-apis/bot/v2/hook/'],
  wechat: ['wecom', 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key='],
} as const
type Robot = keyof typeof ROBOTS
const KINDS = Object.keys(ROBOTS) as Robot[]

const webhooks = createWebhooks(createOutbound({ ...env, ...fakes.bindings }))
const robot = (type: Robot, key: string, secret = ''): WebhookTarget => ({
  type,
  url: `${ROBOTS[type][1]}${key}`,
  secret,
})
const message = (over: Partial<WebhookMessage> = {}): WebhookMessage => ({
  eventId: unique('event'),
  event: 'router.offline',
  at: 1_800_000_000_000,
  title: '设备离线',
  lines: ['上海总部 离线'],
  data: {},
  sender: { brand: null, account: 'demo01' },
  ...over,
})
const keyOf = (kind: string) => `${kind}-${unique('robot')}`

afterEach(clearFakes)

describe('account 5 · webhooks against robots', () => {
  it.each(KINDS)('%s accepts a signed message and keeps its event id', async (type) => {
    const key = keyOf('signed')
    const sent = message()
    expect(await webhooks.send(robot(type, key, ROBOT_SECRET), sent)).toMatchObject({ kind: 'ok', code: '0' })
    expect((await arrived(ROBOTS[type][0], key))[0]).toMatchObject({ detail: { eventId: sent.eventId }, answer: 'ok' })
  })

  it.each([
    ['dingtalk', '310000', '机器人发送签名不匹配'],
    ['feishu', '19021', 'sign match fail or timestamp is not within one hour from current time'],
  ] as const)('%s refuses a wrong or missing signature', async (type, code, words) => {
    for (const secret of ['', 'SECwrong'])
      expect(await webhooks.send(robot(type, keyOf('signed'), secret), message())).toEqual({
        kind: 'permanent',
        code,
        words,
        cause: 'signature',
      })
  })

  it.each(['dingtalk', 'feishu'] as const)('%s with the keyword 告警 takes whatever is sent', async (type) => {
    for (const title of ['通知', '服务到期：中心点服务', '测试消息'])
      expect(await webhooks.send(robot(type, keyOf('keyword')), message({ title, lines: [] }))).toMatchObject({
        kind: 'ok',
      })
  })

  it.each(['dingtalk', 'feishu'] as const)('%s with another keyword refuses', async (type) => {
    await setModes({ [ROBOTS[type][0]]: 'keyword' })
    expect(await webhooks.send(robot(type, keyOf('plain')), message())).toMatchObject({
      kind: 'permanent',
      cause: 'keyword',
    })
  })

  it.each([
    ['dingtalk', 20, '130101'],
    ['feishu', 5, '11232'],
    ['wechat', 20, '45009'],
  ] as const)('%s takes %d at once, then wants a pause', async (type, limit, code) => {
    const target = robot(type, keyOf('plain'))
    const results = await Promise.all(Array.from({ length: limit + 1 }, () => webhooks.send(target, message())))
    expect(results.filter(({ kind }) => kind === 'ok')).toHaveLength(limit)
    expect(results.filter((result) => result.kind === 'retry' && result.code === code)).toHaveLength(1)
  })

  it.each([
    ['dingtalk', '300005'],
    ['feishu', '19001'],
    ['wechat', '93000'],
  ] as const)('%s: a robot that was removed is a permanent failure', async (type, code) => {
    const found = await webhooks.send(robot(type, keyOf('gone')), message())
    expect(found).toMatchObject({ kind: 'permanent', code })
    expect(found.words).not.toMatch(/hint|203\.0\.113/)
  })

  it.each(KINDS)('%s: a server that fails is tried again', async (type) => {
    await setModes({ [ROBOTS[type][0]]: 'http500' })
    expect(await webhooks.send(robot(type, keyOf('plain')), message())).toMatchObject({ kind: 'retry', code: '500' })
  })

  it.each([
    ['ok', { kind: 'ok', code: '200' }],
    ['gone', { kind: 'permanent', code: '410' }],
    ['busy', { kind: 'retry', code: '429', afterMs: 120_000 }],
    ['http500', { kind: 'retry', code: '500' }],
    ['redirect', { kind: 'permanent', code: 'OUTBOUND_REDIRECT' }],
  ] as const)('a customer’s own server (%s)', async (mode, expected) => {
    await setModes({ internet: mode })
    const url = `https://${unique('hooks')}.example.com/alerts`
    const sent = message()
    const type: WebhookType = 'other'
    expect(await webhooks.send({ type, url, secret: 'hush' }, sent)).toMatchObject(expected)
    expect((await arrived('internet', url))[0]).toMatchObject({
      text: expect.stringContaining(`"event_id":"${sent.eventId}"`) as string,
      detail: { 'webhook-id': sent.eventId, 'webhook-signature': expect.stringMatching(/^v1,/) as string },
    })
  })

  it('the local stand-in for the internet is called only where the rules accept the address', async () => {
    const found = await webhooks.send({ type: 'other', url: 'https://127.0.0.1/x', secret: '' }, message())
    expect(found).toMatchObject({ kind: 'permanent', code: 'OUTBOUND_ADDRESS' })
    expect(await arrived('internet')).toEqual([])
  })
})
