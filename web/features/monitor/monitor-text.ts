import type { AlertChannel, DeliveryState, NoticeKind } from '#contract/monitor/alert.ts'

/* Words and options of monitoring: channels, deliveries, notices, durations, times and help on rules. */

export const CHANNEL_WORD: Readonly<Record<AlertChannel, string>> = {
  site: '站内消息',
  mail: '邮件',
  webhook: 'Webhook',
}
export const DELIVERY_WORD: Readonly<Record<DeliveryState, string>> = {
  pending: '待投递',
  sent: '已送达',
  failed: '失败',
  merged: '已合并',
  skipped: '已跳过',
  unsent: '未发送',
}
export const KIND_WORD: Readonly<Record<NoticeKind, string>> = {
  open: '告警',
  reminder: '未恢复提醒',
  escalation: '升级通知',
  recovery: '恢复通知',
  digest: '合并通知',
  paused: '通道暂停',
}
export const DURATION_OPTIONS = [
  { value: 'hour', label: '1 小时' },
  { value: 'day', label: '1 天' },
  { value: 'week', label: '1 周' },
] as const

/** Options of a time of day: half hours, in minutes. */
export const TIME_OPTIONS = Array.from({ length: 48 }, (_, i) => ({
  value: i * 30,
  label: `${String(Math.floor(i / 2)).padStart(2, '0')}:${i % 2 === 0 ? '00' : '30'}`,
}))

export const RULE_HELP = {
  router_online: '成员上线时通知；离线告警的恢复不再另发',
  router_offline: '中心点离线时，随之离线的成员合并为一条',
  service_expired: '监控关闭时仍会通知',
  pop_connect: '成员连不上POP节点',
  flapping: '10分钟内反复重连',
  config_failed: '配置下发失败、被设备回退或未同步',
  directory_sync: '同步等待确认、连续失败3次，或服务器证书30天内到期',
} as const
