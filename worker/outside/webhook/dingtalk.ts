import { hmacSha256, toBase64 } from '#security/secrets.ts'
import { type RobotCodes, type WebhookAdapter, jsonHeaders, interpretRobotReply, toRobotText } from './adapter.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'

/* Webhook of a DingTalk robot. */

const URL_PATTERN = /^https:\/\/oapi\.dingtalk\.com\/robot\/send\?access_token=([\w-]{8,128})$/
const SECURITY = 310_000
const NO_ROBOT = [300_001, 300_005, 400_013, 400_101, 400_102, 400_106]
/** Codes of too many calls, which block the robot for ten minutes: its own, and those of the platform by range. */
const THROTTLED = [-1, 130_101, 410_100]
const PLATFORM_THROTTLES = [90_001, 90_030] as const

const codes: RobotCodes = {
  throttledMs: WEBHOOK.throttledMs,
  isBusy: (code) => THROTTLED.includes(code) || (code >= PLATFORM_THROTTLES[0] && code <= PLATFORM_THROTTLES[1]),
  cause({ code, words }) {
    if (NO_ROBOT.includes(code)) return 'robot'
    if (code !== SECURITY) return null
    if (/keyword|关键词/i.test(words)) return 'keyword'
    return /whitelist|白名单|\bip\b/i.test(words) ? 'address' : 'signature'
  },
}

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
  interpret: (reply) => interpretRobotReply(reply, ({ errcode, errmsg }) => ({ code: errcode, words: errmsg }), codes),
}

export const signDingtalk = async (secret: string, atMs: number): Promise<string> =>
  toBase64(await hmacSha256(secret, `${atMs}\n${secret}`))
