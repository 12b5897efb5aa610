import { CHANNEL_DOWN, type LiveState } from '../../../lib/live.ts'
import './channel-notice.css'

interface ChannelNoticeProps {
  readonly channel: LiveState
  /** What is asked for in place of what would be pushed does not come either. */
  readonly isCutOff: boolean
}

/** Why the states below are grey. */
export function ChannelNotice({ channel, isCutOff }: ChannelNoticeProps) {
  if (channel !== 'down') return null
  return (
    <p role="status" className="nl-channel-notice">
      {CHANNEL_DOWN}，{isCutOff ? '以下为最后已知状态' : '状态每 10 秒刷新一次'}，正在重连
    </p>
  )
}
