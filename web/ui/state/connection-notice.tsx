import Button from '@douyinfe/semi-ui/lib/es/button'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { OFFLINE } from '#lib/call/transport.ts'
import { CHANNEL_DOWN } from '#lib/live/use-live.ts'
import { useOnline } from '#lib/live/use-online.ts'
import { Notice } from './notice.tsx'

/* Banners of a lost live channel and of an offline device. */

interface ChannelNoticeProps {
  readonly isDown: boolean
  /** Polling replaces the channel. */
  readonly isPolled: boolean
  /** Reads the states at once, while polling fails as well. */
  readonly onRetry?: () => void
}

/** Banner while the live channel is down: states are stale, or polled. */
export function ChannelNotice({ isDown, isPolled, onRetry }: ChannelNoticeProps) {
  const isOnline = useOnline()
  if (!isDown || !isOnline) return null // the console has its own banner for an offline device
  const retry = !isPolled && onRetry !== undefined && <Button onClick={onRetry}>重试</Button>
  return (
    <Notice tone="warn" role="status" actions={retry}>
      {CHANNEL_DOWN}，{isPolled ? `状态每 ${STATUS_POLL_MS / 1_000} 秒刷新一次` : '以下为最后已知状态'}，正在重连
    </Notice>
  )
}

/** Banner of the console while the device is offline. Queries are read again automatically after that. */
export function OfflineNotice() {
  if (useOnline()) return null
  return (
    <Notice tone="bad" role="alert">
      {OFFLINE}，恢复后自动重试
    </Notice>
  )
}
