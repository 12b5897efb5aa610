import type { WebhookMessage, WebhookTarget } from '#contract/kernel/outside.ts'
import { createOutbound } from '#outside/outbound.ts'
import { createWebhooks } from '#outside/webhook/webhooks.ts'

export const KEY = '7d4f2c9e-1a2b-4c3d-8e9f-0123456789ab'
/** An address of each kind of robot. */
export const URLS = {
  dingtalk: `https://oapi.dingtalk.com/robot/send?access_token=${KEY}`,
  feishu: `https://open.feishu.cn/open-apis/bot/v2/hook/${KEY}`,
  wechat: `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${KEY}`,
  other: 'https://hooks.example.com/alerts?team=1',
} as const

export const MESSAGE: WebhookMessage = {
  eventId: 'event-1',
  event: 'router.offline',
  at: 1_800_000_000_000,
  title: '设备离线',
  lines: ['上海总部 离线', '原因：心跳超时'],
  data: { router_name: 'SH-01' },
  sender: { brand: '织联', account: '启明智造（demo01）' },
}

/** Webhooks whose internet gives this answer; `sent` are the requests that left. */
export function withInternet(
  answer: () => Response | Promise<Response> = () => new Response('{}'),
  addresses = ['1.1.1.1'],
) {
  const sent: { url: string; init: RequestInit }[] = []
  const outbound = createOutbound(
    { ENVIRONMENT: 'production' },
    {
      resolve: async () => addresses,
      fetch: async (url, init) => {
        sent.push({ url, init })
        return answer()
      },
    },
  )
  return { webhooks: createWebhooks(outbound), sent }
}

export const target = (type: WebhookTarget['type'], over: Partial<WebhookTarget> = {}): WebhookTarget => ({
  type,
  url: URLS[type],
  secret: '',
  ...over,
})
