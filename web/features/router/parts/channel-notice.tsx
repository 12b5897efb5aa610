import { CHANNEL_DOWN, type LiveState } from '../../../lib/live.ts'
import './channel-notice.css'

/** Why the states below are grey. */
export function ChannelNotice({ channel }: { readonly channel: LiveState }) {
  if (channel !== 'down') return null
  return (
    <p role="status" className="nl-channel-notice">
      {CHANNEL_DOWN}，状态每 10 秒刷新一次
    </p>
  )
}
