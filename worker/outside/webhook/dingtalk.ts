import { hmacSha256, toBase64 } from '#security/secrets.ts'
import { type WebhookAdapter, jsonHeaders, interpretRobotReply, toRobotText } from './adapter.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'

/* Webhook of a DingTalk robot. */

const URL_PATTERN = /^https:\/\/oapi\.dingtalk\.com\/robot\/send\?access_token=([\w-]{8,128})$/
/** Codes of a busy server, and of too many calls, which block the robot for ten minutes. */
const BUSY = -1
const THROTTLED = [130_101, 410_100]

/** Custom robot. The signature goes into the query, with the time in milliseconds. */
export const dingtalk: WebhookAdapter = {
  platform: '钉钉',
  example: 'https://oapi.dingtalk.com/robot/send?access_token=…',
  isUrl: (url) => URL_PATTERN.test(url),
  maskUrl: (url) => url.replace(/(access_token=).*/, '$1******'),
  async build({ url, secret }, message, now) {
    const query = new URLSearchParams({ access_token: URL_PATTERN.exec(url)?.[1] ?? '' })
    if (secret !== '') {
      query.set('timestamp', String(now))
      query.set('sign', await signDingtalk(secret, now))
    }
    return {
      provider: 'DINGTALK',
      to: `/robot/send?${query}`,
      headers: jsonHeaders,
      body: JSON.stringify({ msgtype: 'text', text: { content: toRobotText(message) }, at: { isAtAll: false } }),
    }
  },
  interpret: (reply) =>
    interpretRobotReply(
      reply,
      ({ errcode, errmsg }) => ({ code: errcode, words: errmsg }),
      ({ code }) => (THROTTLED.includes(code) ? WEBHOOK.throttledMs : code === BUSY ? WEBHOOK.busyMs : null),
    ),
}

export const signDingtalk = async (secret: string, atMs: number): Promise<string> =>
  toBase64(await hmacSha256(secret, `${atMs}\n${secret}`))
