import { type ReactNode, useState } from 'react'
import type { PresenceState } from '#ui/state/status-badge.tsx'

/* Shared data of the kit's samples: fixed time, sample members, long texts. */

/** A component in one of its states, in a panel; a sample without a title brings its own surface. */
export interface Sample {
  readonly title?: string
  readonly content: ReactNode
}

interface StatefulProps<T> {
  readonly start: T
  readonly children: (value: T, setValue: (value: T) => void) => ReactNode
}

export function Stateful<T>({ start, children }: StatefulProps<T>) {
  const [value, setValue] = useState(start)
  return children(value, (next) => setValue(() => next))
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Fixed time, so that screenshots are reproducible. */
export const SAMPLE_NOW = Date.parse('2026-01-15T02:30:00Z')

export interface SampleMember {
  readonly router_name: string
  readonly note: string
  readonly state: PresenceState
  readonly model: string
  readonly version: string
  readonly lastSeen: number | null
  readonly bandwidthMbps: number
}

const STATES: readonly PresenceState[] = ['online', 'online', 'online', 'offline', 'reconnecting', 'flapping', 'never']
const PLACES = ['上海总部', '苏州工厂', '成都分公司', '深圳研发中心', '西安仓库', '武汉门店', '青岛港口监控']

const createMember = (_: unknown, index: number): SampleMember => {
  const state = STATES[index % STATES.length] ?? 'unknown'
  return {
    router_name: `NR${String(20_260_001 + index * 37)}`,
    note: `${PLACES[index % PLACES.length] ?? ''}${index < PLACES.length ? '' : ` ${Math.floor(index / PLACES.length) + 1} 号`}`,
    state,
    model: index % 3 === 0 ? 'NL-X2' : 'NL-R5',
    version: `2.${index % 4}.1`,
    lastSeen: state === 'never' ? null : SAMPLE_NOW - index * 7_000_000,
    bandwidthMbps: [50, 100, 150, 200][index % 4] ?? 1,
  }
}

export const SAMPLE_MEMBERS: readonly SampleMember[] = Array.from({ length: 200 }, createMember)

/** Name of the maximum length. */
export const LONG_NAME = '华东大区生产网与办公网互联专用线路上的备用路由器'
export const LONG_SERIAL = 'NL80C001-SHANGHAI-PUDONG-DC2-RACK-17-U40'

/** Note of the maximum length. */
export const LONG_NOTE = '华东大区生产网与办公网互联专用线路（含备份）'

export const REASON = { lost: '75 秒未收到心跳', flapping: '10 分钟内上下线 6 次' } as const

/** Sample members with texts of the maximum length and unbreakable words. */
export const LONG_MEMBERS: readonly SampleMember[] = SAMPLE_MEMBERS.map((member, index) => ({
  ...member,
  note: index % 2 === 0 ? LONG_NAME : 'HQ-Backbone-Router-Shanghai',
  router_name: `${member.router_name}-SHANGHAI-PUDONG-DC2-RACK-17-U40`,
}))
