import { useOnline } from '#lib/live/online.ts'
import { OFFLINE } from '#lib/call/transport.ts'
import { Notice } from './notice.tsx'

/** Banner of the console while the device is offline. Queries are read again by themselves once it is not. */
export function OfflineNotice() {
  return useOnline() ? null : <OfflineBanner />
}

export function OfflineBanner() {
  return (
    <Notice tone="bad" role="alert">
      {OFFLINE}，恢复后自动重试
    </Notice>
  )
}
