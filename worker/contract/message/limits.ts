/** Types of messages, as stored, sent and shown. */
export const MESSAGE_TYPE = {
  system: '系统',
  service: '服务',
  alert: '告警',
  ticket: '工单',
  security: '安全',
} as const

/** Site messages; `keptDays` as in infra/docs/decisions.md. */
export const MESSAGE = {
  types: [MESSAGE_TYPE.system, MESSAGE_TYPE.service, MESSAGE_TYPE.alert, MESSAGE_TYPE.ticket, MESSAGE_TYPE.security],
  keptDays: 180,
  titleMax: 80,
  countedNewest: 1_000, // unread ones are counted among so many of the account
} as const

export type MessageType = (typeof MESSAGE.types)[number]
