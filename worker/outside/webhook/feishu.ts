import type { WebhookCause } from '#contract/kernel/outside.ts'
import { hmacSha256, toBase64 } from '#security/secrets.ts'
import { type RobotCodes, type WebhookAdapter, jsonHeaders, interpretRobotReply, toRobotText } from './adapter.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'

/* Webhook of a Feishu (Lark) robot. */

const URL_PATTERN = /^https:\/\/open\.(feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/([\w-]{8,128})$/
const CAUSES = new Map<number, WebhookCause>([
  [19_001, 'robot'],
  [19_021, 'signature'],
  [19_022, 'address'],
  [19_024, 'keyword'],
])
/** Throttles of robots, groups and applications, and a fault of the server. */
const BUSY = [429, 2_200, 11_232, 11_233, 230_006, 230_020, 99_991_400]

const codes: RobotCodes = {
  throttledMs: WEBHOOK.busyMs,
  isBusy: (code) => BUSY.includes(code),
  cause: ({ code }) => CAUSES.get(code) ?? null,
}

/** Custom robot. The signature goes into the body: HMAC of an empty text under time (seconds) and secret. */
export const feishu: WebhookAdapter = {
  platform: '飞书',
  example: 'https://open.feishu.cn/open-apis/bot/v2/hook/…',
  isUrl: (url) => URL_PATTERN.test(url),
  maskUrl: (url) => url.replace(/(\/hook\/).*/, '$1******'),
  async build({ url, secret }, message, now) {
    const [, domain, token = ''] = URL_PATTERN.exec(url) ?? []
    const timestamp = Math.floor(now / 1000)
    const signed = secret === '' ? {} : { timestamp: String(timestamp), sign: await signFeishu(secret, timestamp) }
    // Escapes tags <at>, which would mention people: names and remarks may contain them.
    const text = toRobotText(message).replace(/<(?=\s*\/?\s*at\b)/gi, '＜')
    return {
      provider: domain === 'larksuite.com' ? 'LARK' : 'FEISHU',
      to: `/open-apis/bot/v2/hook/${token}`,
      headers: jsonHeaders,
      body: JSON.stringify({ ...signed, msg_type: 'text', content: { text } }),
    }
  },
  interpret: (reply) =>
    interpretRobotReply(
      reply,
      ({ code, StatusCode, msg, StatusMessage }) => ({ code: code ?? StatusCode, words: msg ?? StatusMessage }),
      codes,
    ),
}

export const signFeishu = async (secret: string, atSeconds: number): Promise<string> =>
  toBase64(await hmacSha256(`${atSeconds}\n${secret}`, ''))
