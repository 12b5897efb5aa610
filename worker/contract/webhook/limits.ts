/** Limits of robots and webhooks: texts, replies, pauses, tests. */
export const WEBHOOK = {
  keyword: '告警', // in every robot message: a robot with a keyword filter takes no other
  textMaxBytes: 2_000, // WeCom takes 2,048
  senderMaxBytes: 240, // of the account's name
  wordsMax: 200, // of the other side's answer
  replyMaxBytes: 4_096,
  busyMs: 60_000, // pause after a throttle by the other side
  throttledMs: 600_000, // DingTalk blocks a robot for ten minutes
  testRate: { limit: 6, windowMs: 60_000 }, // of an account
} as const
