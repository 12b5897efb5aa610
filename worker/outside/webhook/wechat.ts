import { type RobotCodes, type WebhookAdapter, jsonHeaders, interpretRobotReply, toRobotText } from './adapter.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'

const URL_PATTERN = /^https:\/\/qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=([\w-]{8,128})$/
const NO_ROBOT = 93_000
/** A busy server, and too many calls: in all, at once, of one kind. */
const BUSY = [-1, 45_009, 45_011, 45_033, 45_047]

const codes: RobotCodes = {
  throttledMs: WEBHOOK.busyMs,
  isBusy: (code) => BUSY.includes(code),
  cause: ({ code }) => (code === NO_ROBOT ? 'robot' : null),
}

/** Webhook of a WeCom group robot. It has no signature: the key in its address is the credential. */
export const wechat: WebhookAdapter = {
  platform: '企业微信',
  example: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
  isUrl: (url) => URL_PATTERN.test(url),
  maskUrl: (url) => url.replace(/(key=).*/, '$1******'),
  build: async ({ url }, message) => ({
    provider: 'WECOM',
    to: `/cgi-bin/webhook/send?key=${URL_PATTERN.exec(url)?.[1] ?? ''}`,
    headers: jsonHeaders,
    body: JSON.stringify({ msgtype: 'text', text: { content: toRobotText(message) } }),
  }),
  interpret: (reply) => interpretRobotReply(reply, ({ errcode, errmsg }) => ({ code: errcode, words: errmsg }), codes),
}
