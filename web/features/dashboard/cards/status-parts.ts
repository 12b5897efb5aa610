import type { AttentionKind, AttentionRow } from '#contract/kernel/health.ts'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import {
  LINK_WORD,
  NETWORK_HEALTH_WORD,
  PRESENCE_WORD,
  SINGLE_CENTER_WORD,
  SUSPECTED_WORD,
} from '#contract/kernel/states.ts'
import type { Overview } from '#contract/overview/index.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { countText } from '#lib/format/format-unit.ts'
import type { LiveState } from '#lib/live/use-live.ts'
import { paths } from '#lib/paths.ts'

/* Parts of the status line of the dashboard by kind of fault, the filter that each sets, and outdated states. */

export type OverviewNetwork = Overview['networks'][number]
export type StatusKey = keyof Overview['status']

/** Objects that a number counts: networks or rows of this page, or members, which have their own page. */
type Objects =
  | { readonly kind: 'networks'; readonly has: (network: OverviewNetwork) => boolean }
  | { readonly kind: 'rows'; readonly has: readonly AttentionKind[] }
  | { readonly kind: 'members'; readonly type: RouterType; readonly state: PresenceState | 'single_center' }

interface Part {
  readonly level: 'bad' | 'warn' | 'idle'
  readonly unit: string
  /** Words after number and unit: 组网中断 (networks down). */
  readonly words: string
  readonly objects: Objects
}

const inState = (...states: readonly OverviewNetwork['health']['state'][]): Objects => ({
  kind: 'networks',
  has: ({ health }) => states.includes(health.state),
})
const rowsOf = (...has: readonly AttentionKind[]): Objects => ({ kind: 'rows', has })
const { hardware, software } = ROUTER_TYPE

const PARTS: Readonly<Record<StatusKey, Part>> = {
  networks_down: { level: 'bad', unit: '个', words: `组网${NETWORK_HEALTH_WORD.down}`, objects: inState('down') },
  networks_suspended: {
    level: 'bad',
    unit: '个',
    words: `组网${NETWORK_HEALTH_WORD.suspended}`,
    objects: inState('suspended'),
  },
  pops_expired: { level: 'bad', unit: '个', words: '组网的POP资源已过期', objects: rowsOf('pop_expired') },
  suspected: { level: 'bad', unit: '处', words: SUSPECTED_WORD, objects: rowsOf('suspected') },
  pops_offline: { level: 'bad', unit: '个', words: `POP节点${PRESENCE_WORD.offline}`, objects: rowsOf('pop_offline') },
  hardware_offline: {
    level: 'bad',
    unit: '台',
    words: `硬件${PRESENCE_WORD.offline}`,
    objects: { kind: 'members', type: hardware, state: 'offline' },
  },
  links_down: { level: 'bad', unit: '条', words: `链路${LINK_WORD.down}`, objects: rowsOf('link_down') },
  config_trouble: {
    level: 'bad',
    unit: '台',
    words: '配置异常',
    objects: rowsOf(
      'config_failed',
      'config_reverted',
      'config_unsynced',
      'setting_unsupported',
      'certificate_refused',
    ),
  },
  terms_over: { level: 'bad', unit: '项', words: '服务已到期', objects: rowsOf('service_over', 'saas_over') },
  deliveries_failed: { level: 'bad', unit: '个', words: '告警通道发送失败', objects: rowsOf('delivery_failed') },
  networks_partial: {
    level: 'warn',
    unit: '个',
    words: `组网${NETWORK_HEALTH_WORD.partial}`,
    objects: inState('partial'),
  },
  networks_unknown: { level: 'idle', unit: '个', words: '组网的链路状态未知', objects: inState('unknown') },
  hardware_flapping: {
    level: 'warn',
    unit: '台',
    words: `硬件${PRESENCE_WORD.flapping}`,
    objects: { kind: 'members', type: hardware, state: 'flapping' },
  },
  hardware_unreadable: {
    level: 'warn',
    unit: '台',
    words: `硬件状态${PRESENCE_WORD.unreadable}`,
    objects: { kind: 'members', type: hardware, state: 'unreadable' },
  },
  software_flapping: {
    level: 'warn',
    unit: '个',
    words: `软件${PRESENCE_WORD.flapping}`,
    objects: { kind: 'members', type: software, state: 'flapping' },
  },
  links_together: { level: 'warn', unit: '处', words: '多条链路异常', objects: rowsOf('links_together') },
  links_one_sided: {
    level: 'warn',
    unit: '条',
    words: `链路${LINK_WORD.one_sided}`,
    objects: rowsOf('link_one_sided'),
  },
  single_center: {
    level: 'warn',
    unit: '个',
    words: `成员${SINGLE_CENTER_WORD}`,
    objects: { kind: 'members', type: hardware, state: 'single_center' },
  },
  overlaps: { level: 'warn', unit: '处', words: '网段重叠', objects: rowsOf('overlap') },
  directory: {
    level: 'warn',
    unit: '项',
    words: '目录同步异常',
    objects: rowsOf('directory_failed', 'directory_asking'),
  },
  reminders: {
    level: 'warn',
    unit: '项',
    words: '提醒',
    objects: rowsOf(
      'pop_ending',
      'service_ending',
      'saas_ending',
      'certificate_ending',
      'quota_full',
      'contact_expired',
      'ticket_answered',
    ),
  },
}
const KEYS = Object.keys(PARTS) as readonly StatusKey[]

/** Parts of the status line, one per kind of fault, each with the page that shows exactly those objects. */
export function toStatusParts({ status, networks }: Pick<Overview, 'status' | 'networks'>) {
  return KEYS.filter((key) => status[key] > 0).map((key) => {
    const { level, unit, words } = PARTS[key]
    return { key, level, text: `${countText(status[key])} ${unit}${words}`, to: toPath(key, networks) }
  })
}

function toPath(key: StatusKey, networks: readonly OverviewNetwork[]): string {
  const { objects } = PARTS[key]
  if (objects.kind === 'members') return paths.routers({ type: objects.type, state: objects.state })
  const [only, ...others] = objects.kind === 'networks' ? networks.filter(objects.has) : []
  return only !== undefined && others.length === 0 ? paths.network(only.network_number) : paths.overview(key)
}

export interface CardProps {
  readonly overview: Overview
  readonly isStale: boolean
  readonly narrowing: Narrowing | null
}

/** Filter of the page: rows of 待处理 (to do), or networks. */
type Narrowing = NonNullable<ReturnType<typeof toNarrowing>>

/** Filter by the value in the address; null, the whole page, for an unknown value. */
export function toNarrowing(show: string | null) {
  const key = KEYS.find((known) => known === show)
  if (key === undefined) return null
  const { words, objects } = PARTS[key]
  if (objects.kind === 'members') return null
  return {
    key,
    kind: objects.kind,
    words,
    hasRow: ({ kind }: AttentionRow) => objects.kind !== 'rows' || objects.has.includes(kind),
    hasNetwork: (network: OverviewNetwork) => objects.kind !== 'networks' || objects.has(network),
  }
}

/**
 * Reason why states may be outdated. `channel`: the live channel is down. `hub`: the account's hub did not answer.
 * `failed`: the last read failed. `links`: the hubs of some networks did not answer; all else is fresh.
 */
export type Staleness = 'fresh' | 'links' | 'channel' | 'hub' | 'failed'

export function toStaleness(facts: {
  readonly channel: LiveState
  readonly overview: Pick<Overview, 'live' | 'networks'> | undefined
  readonly hasFailed: boolean
}): Staleness {
  if (facts.hasFailed) return 'failed'
  if (facts.channel === 'down') return 'channel'
  if (facts.overview?.live === 0) return 'hub'
  return facts.overview?.networks.some(({ live }) => live === 0) ? 'links' : 'fresh'
}

export const isStale = (stale: Staleness): boolean => stale !== 'fresh' && stale !== 'links'
