import type { PresenceView } from '#contract/kernel/protocol.ts'
import { shownSince } from '#contract/kernel/states.ts'
import { SinceText, TimeText } from '#ui/layout/text/time-text.tsx'

/** Time that a member has been in its state; for one that is offline, since when it was not seen any more. */
export function PresenceSince({ presence }: { readonly presence: PresenceView }) {
  const since = shownSince(presence)
  if (since === null) return null
  if (presence.state !== 'offline')
    return (
      <span>
        已持续 <SinceText at={since} />
      </span>
    )
  return (
    <span>
      离线自 <TimeText at={since} />
      ，已持续 <SinceText at={since} />
    </span>
  )
}
