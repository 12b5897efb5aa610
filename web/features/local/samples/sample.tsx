import type { ReactNode } from 'react'
import type { PresenceState, PresenceView } from '#contract/kernel/protocol.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/transport.ts'

/* Shared data of the kit's samples: fixed time, sample members, actions, long texts. */

/** Elements by title. */
export type Samples = Readonly<Record<string, ReactNode>>

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export const ERROR = new ApiError(500, SENTENCE.fault, { requestId: '8f3c2a9e-41d7' })

export const ACTIONS = [
  { label: '备注', onSelect: () => {} },
  { label: '重新下发', blocked: '设备当前离线', onSelect: () => {} },
  { label: '删除', danger: true, onSelect: () => {} },
]

/** Fixed time, so that screenshots are reproducible. */
export const SAMPLE_NOW = Date.parse('2026-01-15T02:30:00Z')

export interface SampleMember {
  readonly router_name: string
  readonly note: string
  readonly presence: PresenceView
  readonly model: string
  readonly version: string
  readonly bandwidthMbps: number
}

const STATES: readonly PresenceState[] = ['online', 'online', 'online', 'offline', 'reconnecting', 'flapping', 'never']
const PLACES = ['上海总部', '苏州工厂', '成都分公司', '深圳研发中心', '西安仓库', '武汉门店', '青岛港口监控']

export const SAMPLE_MEMBERS = Array.from({ length: 200 }, (_, index): SampleMember => {
  const state = STATES[index % STATES.length] ?? 'never'
  const isNever = state === 'never'
  return {
    router_name: `NR${20_260_001 + index * 37}`,
    note: `${PLACES[index % PLACES.length] ?? ''} ${Math.floor(index / PLACES.length) + 1} 号`,
    presence: {
      state,
      since: isNever ? null : SAMPLE_NOW,
      last_seen: isNever ? null : SAMPLE_NOW - index * 7_000_000,
      reason: '',
    },
    model: index % 3 === 0 ? 'NL-X2' : 'NL-R5',
    version: `2.${index % 4}.1`,
    bandwidthMbps: 50 * ((index % 4) + 1),
  }
})

/** Texts of the maximum length. */
export const LONG = {
  name: '华东大区生产网与办公网互联专用线路上的备用路由器',
  serial: 'NL80C001-SHANGHAI-PUDONG-DC2-RACK-17-U40',
  note: '华东大区生产网与办公网互联专用线路（含备份）',
  help: '设备离线超过上面的延迟后发送，恢复时另发一条；中心点离线时它的普通点不再逐个通知，组网中断只通知一次，直到任一中心点恢复在线',
} as const

/** Sample members with texts of the maximum length and unbreakable words. */
export const LONG_MEMBERS = SAMPLE_MEMBERS.map((member, index) => ({
  ...member,
  note: index % 2 === 0 ? LONG.name : 'HQ-Backbone-Router-Shanghai',
  router_name: `${member.router_name}-SHANGHAI-PUDONG-DC2-RACK-17-U40`,
}))

export const REASON = { lost: '75 秒未收到心跳', flapping: '10 分钟内上下线 6 次' } as const
