import type { ConfigView } from '../../../worker/contract/protocol.ts'

/** Desired configuration versions before a change was saved, by router_name. A member that is missing is new. */
export type Baseline = Readonly<Record<string, number>>

interface Configured {
  readonly router_name: string
  readonly config: ConfigView
}

export interface Rollout {
  readonly total: number
  readonly applied: number
  readonly pushing: number
  readonly queued: number
  /** Failed, reverted or out of sync: final without action. */
  readonly failed: number
  readonly isDone: boolean
}

export function toBaseline(members: readonly Configured[]): Baseline {
  return Object.fromEntries(members.map(({ router_name, config }) => [router_name, config.version]))
}

/** Progress of a saved change, from the members' configuration states. Software members have none. */
export function computeRollout(baseline: Baseline, members: readonly Configured[]): Rollout {
  const count = { total: 0, applied: 0, pushing: 0, queued: 0, failed: 0 }
  for (const { router_name, config } of members) {
    if (config.state === 'none' || config.version <= (baseline[router_name] ?? -1)) continue
    count.total++
    if (config.state === 'applied') count.applied++
    else if (config.state === 'pushing') count.pushing++
    else if (config.state === 'queued') count.queued++
    else count.failed++
  }
  return { ...count, isDone: count.pushing === 0 }
}

export function rolloutText({ total, applied, pushing, queued, failed, isDone }: Rollout): string {
  if (total === 0) return '已保存，设备配置无变化'
  const parts = [
    [applied, '已生效'],
    [pushing, '下发中'],
    [queued, '离线排队'],
    [failed, '失败'],
  ] as const
  const counts = parts.filter(([amount]) => amount > 0).map(([amount, word]) => `${word} ${amount}`)
  const head = isDone && applied === total ? `已保存，${total} 台设备已全部生效` : `已保存，正在下发到 ${total} 台设备`
  return isDone && applied === total ? head : `${head}：${counts.join('，')}`
}
