import type { PresenceView } from '../../../../worker/contract/protocol.ts'
import { shownSince } from '../../../../worker/contract/states.ts'
import { isOnline } from '../../../../worker/domain/health/member.ts'
import type { Fact } from '../../../ui/facts.tsx'
import { PresenceBadge } from '../../../ui/member-badges.tsx'
import { SinceText, TimeText } from '../../../ui/time-text.tsx'

/** Presence as facts, for page and drawer. */
export function presenceFacts(presence: PresenceView, isStale: boolean): readonly Fact[] {
  const { last_seen, reason } = presence
  const since = shownSince(presence)
  return [
    { label: '在线状态', value: <PresenceBadge presence={presence} isStale={isStale} /> },
    { label: '已持续', value: since === null ? '—' : <SinceText at={since} /> },
    ...(isOnline(presence) ? [] : [{ label: '最近在线', value: <TimeText at={last_seen} never="从未" /> }]),
    ...(reason === '' ? [] : [{ label: '原因', value: reason }]),
  ]
}
