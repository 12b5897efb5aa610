import type { MemberPaths } from '#contract/kernel/health.ts'
import type { ConfigView, LinkView, PresenceView } from '#contract/kernel/protocol.ts'
import { isOnDemand, shownSince, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import type { RouterType } from '#contract/router/limits.ts'
import { briefDuration } from '#lib/format/format-time.ts'
import { linksText, unknownLinksText } from '#lib/format/links-text.ts'
import { useNow } from '#ui/hooks/use-now.ts'
import { Tooltip } from '#ui/layout/text/tooltip.tsx'
import { type Shape, StatusWord, type Tone } from '#ui/state/state-icon.tsx'
import { ConfigTag, LinkBadge, StatusBadge } from '#ui/state/status-badge.tsx'

/* Badges of a member: presence, link, configuration and paths. */

interface StaleProps {
  /** The live channel is down: the last known state is shown. */
  readonly isStale: boolean
}

interface PresenceProps extends StaleProps {
  readonly presence: PresenceView
  readonly type: RouterType
}

export function PresenceBadge({ presence, type, isStale }: PresenceProps) {
  const { state, reason, last_seen } = presence
  const lastSeen = state === 'online' ? null : last_seen // last connect; outdated while online
  return (
    <StatusBadge
      {...{ state, reason, lastSeen }}
      since={shownSince(presence)}
      decidedAt={state === 'offline' && last_seen !== null ? presence.since : null}
      stale={isStale}
      isOnDemand={isOnDemand(type)}
    />
  )
}

/** State in a list with its duration, such as 离线 42 分 (offline for 42 minutes). */
export function PresenceCell(props: PresenceProps) {
  const since = shownSince(props.presence)
  return (
    <span className="nl-state-cell">
      <PresenceBadge {...props} />
      {since !== null && <Lasting since={since} />}
    </span>
  )
}

export function LinkCell({
  link,
  isStale,
}: StaleProps & { readonly link: Pick<LinkView, 'state' | 'reason' | 'since'> }) {
  const { state, reason, since } = link
  return (
    <span className="nl-state-cell">
      <LinkBadge state={state} reason={reason} since={since} stale={isStale} />
      {since !== null && <Lasting since={since} />}
    </span>
  )
}

function Lasting({ since }: { readonly since: number }) {
  const now = useNow()
  return <span className="nl-muted">{briefDuration(now - since)}</span>
}

export function ConfigBadge({ config, isStale }: StaleProps & { readonly config: ConfigView }) {
  if (config.state === 'none') return <span className="nl-muted">—</span>
  return <ConfigTag state={config.state} reason={config.reason} since={config.at} stale={isStale} />
}

interface PathsBadgeProps extends StaleProps {
  /** Null if unknown. */
  readonly paths: MemberPaths | null
  /** The member is offline, which explains its links. */
  readonly isAbsent: boolean
}

/** Numbers of a member's links: 2/2, 1/2 单中心 (single centre), or in grey 未知 2. */
export function PathsBadge({ paths, isAbsent, isStale }: PathsBadgeProps) {
  if (paths === null || paths.total === 0) return <span className="nl-muted">—</span>
  const [shape, tone] = pathsStyle(paths, isAbsent)
  const shown = isStale ? 'idle' : tone
  const single = paths.single_center === 1 ? ` ${SINGLE_CENTER_WORD}` : ''
  const badge = <StatusWord shape={shape} tone={shown} word={`${linksText(paths)}${single}`} />
  if (paths.unknown === 0) return badge
  return (
    <Tooltip focusable content={unknownLinksText(paths.unknown)}>
      {badge}
    </Tooltip>
  )
}

/** Grey where no link is known to be broken, but not all are known to be up. */
function pathsStyle({ up, unknown, total, single_center }: MemberPaths, isAbsent: boolean): readonly [Shape, Tone] {
  if (up === total) return ['disc', 'ok']
  if (isAbsent || (up + unknown === total && single_center === 0)) return ['question', 'idle']
  return up + unknown === 0 ? ['ring', 'bad'] : ['half', 'warn']
}
