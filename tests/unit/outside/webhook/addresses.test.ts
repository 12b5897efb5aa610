import { describe, expect, it } from 'vitest'
import { WEBHOOK_TYPES } from '#contract/kernel/outside.ts'
import { WEBHOOKS, checkWebhookUrl } from '#outside/webhook/webhooks.ts'
import { KEY, MESSAGE, URLS, target, withInternet } from './harness.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { SAMPLE_ADDRESSES, SAMPLE_URLS } from '../ssrf-corpus.ts'

describe('addresses of webhooks', () => {
  it.each(WEBHOOK_TYPES)('%s takes its own and no other kind’s', (type) => {
    expect(checkWebhookUrl(type, URLS[type])).toBeNull()
    if (type === 'other') return
    for (const other of WEBHOOK_TYPES.filter((kind) => kind !== type))
      expect(checkWebhookUrl(type, URLS[other])).toMatchObject({ key: 'WEBHOOK_URL', field: 'url' })
  })
  it('Feishu’s international twin is one of Feishu’s', () => {
    expect(checkWebhookUrl('feishu', `https://open.larksuite.com/open-apis/bot/v2/hook/${KEY}`)).toBeNull()
  })

  const near = (['dingtalk', 'feishu', 'wechat'] as const).flatMap((type) => {
    const url = URLS[type]
    const { host, pathname, search } = new URL(url)
    return [
      url.replace('https:', 'http:'),
      url.replace(host, `${host}.evil.com`),
      url.replace(host, `evil-${host}`),
      url.replace(host, `evil.com#${host}`),
      url.replace(host, `${host}:8443`),
      url.replace(host, `${host}:443`),
      url.replace(host, `${host}@evil.com`),
      url.replace(host, `user@${host}`),
      url.replace(host, `${host}.`),
      url.replace(host, host.toUpperCase()),
      url.replace(host, `${host}\\@evil.com`),
      `https://${host}${pathname}/../../evil${search}`,
      `https://${host}/x${pathname}${search}`,
      `https://${host}//${pathname}${search}`,
      `${url}#x`,
      `${url}&a=b`,
      `${url}?a=b`,
      `${url}/`,
      `${url}\r\nHost: evil.com`,
      `${url}%0d%0aX: y`,
      ` ${url}`,
      `${url}\n`,
      url.replace(KEY, ''),
      url.replace(KEY, 'a'.repeat(129)),
      url.replace(KEY, `${KEY}&key=${KEY}&access_token=${KEY}`),
      url.replace(KEY, '../../../cgi-bin/gettoken'),
    ].map((trick) => [type, trick] as const)
  })
  it('each robot refuses what only resembles its address, and nothing leaves', async () => {
    const offenders = await findOffenders(near)(async (type, url) => {
      expect(checkWebhookUrl(type, url)).toMatchObject({ key: 'WEBHOOK_URL' })
      const { webhooks, sent } = withInternet()
      expect(await webhooks.send(target(type, { url }), MESSAGE)).toMatchObject({
        kind: 'permanent',
        code: 'WEBHOOK_URL',
      })
      expect(sent).toEqual([])
    })
    expect(offenders).toEqual([])
  })
  it('nothing leaves for any class of URL that is not public, of whatever type', async () => {
    const offenders = await findOffenders(SAMPLE_URLS)(async (_, url) => {
      for (const type of WEBHOOK_TYPES) {
        const { webhooks, sent } = withInternet()
        expect((await webhooks.send(target(type, { url }), MESSAGE)).kind).toBe('permanent')
        expect(sent).toEqual([])
      }
    })
    expect(offenders).toEqual([])
  })
  it('nothing leaves for a name that resolves to a private address', async () => {
    const offenders = await findOffenders(SAMPLE_ADDRESSES)(async (address) => {
      const { webhooks, sent } = withInternet(undefined, ['1.1.1.1', address])
      expect(await webhooks.send(target('other'), MESSAGE)).toMatchObject({
        kind: 'permanent',
        code: 'OUTBOUND_ADDRESS',
      })
      expect(sent).toEqual([])
    })
    expect(offenders).toEqual([])
  })

  it.each([
    ['dingtalk', 'https://oapi.dingtalk.com/robot/send?access_token=******'],
    ['feishu', 'https://open.feishu.cn/open-apis/bot/v2/hook/******'],
    ['wechat', 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=******'],
    ['other', 'https://hooks.example.com/******'],
  ] as const)('%s is shown as %s, which is no address to send to', (type, masked) => {
    expect(WEBHOOKS[type].maskUrl(URLS[type])).toBe(masked)
    expect(type !== 'other' && WEBHOOKS[type].isUrl(masked)).toBe(false)
  })
})
