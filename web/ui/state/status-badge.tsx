import { Fragment } from 'react'
import type { NetworkHealth } from '#contract/kernel/health.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import {
  CONFIG_WORD,
  LINK_WORD,
  NETWORK_HEALTH_WORD,
  PRESENCE_WORD,
  SINGLE_CENTER_WORD,
} from '#contract/kernel/states.ts'
import { timeText } from '#lib/format/format-time.ts'
import { Tooltip } from '#ui/layout/text/tooltip.tsx'
import { Icon, type StatusStyle } from './state-icon.tsx'
import './status.css'

/* Badges of states: presence, link, configuration, single centre, network health. */

interface BadgeStyle extends StatusStyle {
  readonly word: string
}

const UNKNOWN = { word: '未知', shape: 'question', tone: 'idle' } as const

const PRESENCE = {
  online: { word: PRESENCE_WORD.online, shape: 'disc', tone: 'ok' },
  reconnecting: { word: PRESENCE_WORD.reconnecting, shape: 'half', tone: 'warn' },
  offline: { word: PRESENCE_WORD.offline, shape: 'ring', tone: 'bad' },
  flapping: { word: PRESENCE_WORD.flapping, shape: 'diamond', tone: 'warn' },
  unreadable: { word: PRESENCE_WORD.unreadable, shape: 'question', tone: 'warn' },
  never: { word: PRESENCE_WORD.never, shape: 'dashed', tone: 'idle' },
  disabled: { word: PRESENCE_WORD.disabled, shape: 'dash', tone: 'idle' },
} as const satisfies Record<string, BadgeStyle>

const AWAY: BadgeStyle = { ...PRESENCE.offline, tone: 'idle' }

const LINK = {
  up: { word: LINK_WORD.up, shape: 'disc', tone: 'ok' },
  down: { word: LINK_WORD.down, shape: 'ring', tone: 'bad' },
  one_sided: { word: LINK_WORD.one_sided, shape: 'half', tone: 'warn' },
  unknown: UNKNOWN,
  never: { word: LINK_WORD.never, shape: 'dashed', tone: 'idle' },
} as const satisfies Record<string, BadgeStyle>

const CONFIG = {
  none: { word: CONFIG_WORD.none, shape: 'dash', tone: 'idle' },
  applied: { word: CONFIG_WORD.applied, shape: 'tick', tone: 'ok' },
  pushing: { word: CONFIG_WORD.pushing, shape: 'arrow', tone: 'busy' },
  queued: { word: CONFIG_WORD.queued, shape: 'dots', tone: 'idle' },
  failed: { word: CONFIG_WORD.failed, shape: 'cross', tone: 'bad' },
  unsynced: { word: CONFIG_WORD.unsynced, shape: 'unequal', tone: 'warn' },
  reverted: { word: CONFIG_WORD.reverted, shape: 'back', tone: 'warn' },
} as const satisfies Record<string, BadgeStyle>

const HEALTH = {
  ok: { word: NETWORK_HEALTH_WORD.ok, shape: 'disc', tone: 'ok' },
  unknown: { word: NETWORK_HEALTH_WORD.unknown, shape: 'question', tone: 'idle' },
  partial: { word: NETWORK_HEALTH_WORD.partial, shape: 'half', tone: 'warn' },
  down: { word: NETWORK_HEALTH_WORD.down, shape: 'ring', tone: 'bad' },
  never: { word: NETWORK_HEALTH_WORD.never, shape: 'dashed', tone: 'idle' },
  suspended: { word: NETWORK_HEALTH_WORD.suspended, shape: 'dash', tone: 'bad' },
} as const satisfies Record<NetworkHealth['state'], BadgeStyle>

export type PresenceState = keyof typeof PRESENCE
export type LinkState = keyof typeof LINK
export type ConfigState = keyof typeof CONFIG

interface Facts {
  readonly reason?: string | null | undefined
  readonly since?: number | null | undefined
  readonly lastSeen?: number | null | undefined
  /** Time at which an absence was decided; it began earlier. */
  readonly decidedAt?: number | null | undefined
  /** The live channel is down: the last known state is shown. */
  readonly stale?: boolean | undefined
}

interface StatusBadgeProps extends Facts {
  readonly state: PresenceState
  readonly isOnDemand?: boolean
}

export function StatusBadge({ state, isOnDemand = false, ...facts }: StatusBadgeProps) {
  const style = isOnDemand && state === 'offline' ? AWAY : PRESENCE[state]
  return <Badge style={style} facts={facts} className="nl-status" />
}

export function LinkBadge({ state, ...facts }: Facts & { readonly state: LinkState }) {
  return <Badge style={LINK[state]} facts={facts} className="nl-status" />
}

export function ConfigTag({ state, ...facts }: Facts & { readonly state: ConfigState }) {
  return <Badge style={CONFIG[state]} facts={facts} className="nl-status nl-tag" />
}

/** Badge 单中心 (single centre): a member has lost its second path. */
export function SingleCenterBadge({ stale }: Pick<Facts, 'stale'>) {
  const style = { word: SINGLE_CENTER_WORD, shape: 'half', tone: 'warn' } as const
  return <Badge style={style} facts={{ stale }} className="nl-status nl-tag" />
}

interface HealthBadgeProps {
  /** Null if unknown. */
  readonly health: Pick<NetworkHealth, 'state' | 'issues' | 'cause' | 'since'> | null
  readonly stale?: boolean
}

/** Health of a network with its cause: 运行正常 (normal), 部分异常 (n faults), 中断 (down), 已停用 (suspended). */
export function HealthBadge({ health, stale }: HealthBadgeProps) {
  if (health === null) return <Badge style={UNKNOWN} facts={{ reason: SENTENCE.stateUnknown }} className="nl-status" />
  const { state, issues, cause, since } = health
  const style = HEALTH[state]
  const word = state === 'partial' ? `${style.word} (${issues})` : style.word
  return <Badge style={{ ...style, word }} facts={{ reason: cause, since, stale }} className="nl-status" />
}

function Badge({ style, facts, className }: { style: BadgeStyle; facts: Facts; className: string }) {
  const badge = (
    <span className={`${className} nl-tone-${facts.stale ? 'idle' : style.tone}`}>
      <Icon shape={style.shape} tone={facts.stale ? 'idle' : style.tone} />
      <span className="nl-status-word">{style.word}</span>
    </span>
  )
  const lines = explain(facts)
  if (lines.length === 0) return badge
  return (
    <Tooltip focusable content={<FactList facts={lines} />}>
      {badge}
    </Tooltip>
  )
}

function explain({ reason, since, lastSeen, decidedAt, stale }: Facts): readonly (readonly [string, string])[] {
  const lines: (readonly [string, string])[] = []
  if (stale) lines.push(['注意', '实时通道已断开，此为最后已知状态'])
  if (reason) lines.push(['原因', reason])
  if (since) lines.push(['开始于', timeText(since)])
  if (lastSeen) lines.push(['最近在线', timeText(lastSeen)])
  if (decidedAt) lines.push(['判定于', timeText(decidedAt)])
  return lines
}

function FactList({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className="nl-facts">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
