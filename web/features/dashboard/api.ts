import { announcementsApi } from '#contract/announcements/index.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { overviewApi } from '#contract/overview/index.ts'
import { useAccountLive } from '#lib/live/account-live.tsx'
import { useCommand, useQuery, useRefresh } from '#lib/call/use-endpoint.ts'

/* Hooks of the endpoints of the dashboard: overview, announcements and first steps. */

export const useAnnouncements = () => useQuery(announcementsApi.lists, { page: 1 })

/** Overview in one reply, so that its numbers agree. It is also polled without changes, for the curve and for expiries. */
export const useOverview = (isPolled: boolean) =>
  useQuery(overviewApi.info, {}, { pollMs: isPolled ? STATUS_POLL_MS : HEALTH.curveBucketMs })

export const useRefreshOverview = () => useRefresh([overviewApi.info])

/** Reads the overview again when somebody takes over a row, or a ticket is answered. */
export function useAttentionRefresh(): void {
  const refresh = useRefreshOverview()
  useAccountLive(({ type }) => {
    if (type === 'attention' || type === 'ticket') refresh()
  })
}

export const useDismissSteps = () => useCommand(overviewApi.dismissSteps)
