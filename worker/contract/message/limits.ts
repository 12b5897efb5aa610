/* Types and limits of site messages. */

export const MESSAGE_TYPE = {
  system: '系统',
  service: '服务',
  alert: '告警',
  ticket: '工单',
  security: '安全',
} as const

/** Limits; `keptDays` follows infra/docs/decisions.md. */
export const MESSAGE = {
  types: [MESSAGE_TYPE.system, MESSAGE_TYPE.service, MESSAGE_TYPE.alert, MESSAGE_TYPE.ticket, MESSAGE_TYPE.security],
  keptDays: 180,
  titleMax: 80,
  countedNewest: 1_000, // newest messages of the account among which unread ones are counted
} as const

export type MessageType = (typeof MESSAGE.types)[number]
