import { announcementsApi } from '#contract/announcements/index.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { overviewApi } from '#contract/overview/index.ts'
import { useCommand, useQuery, useRefresh } from '#lib/call/use-endpoint.ts'

/* Hooks of the endpoints of the dashboard: overview, announcements and first steps. */

export const useAnnouncements = () => useQuery(announcementsApi.lists, { page: 1 })

/** Overview in one reply, so that its numbers agree. It is also polled without changes, for the curve and for expiries. */
export const useOverview = (isPolled: boolean) =>
  useQuery(overviewApi.info, {}, { pollMs: isPolled ? STATUS_POLL_MS : HEALTH.curveBucketMs })

export const useRefreshOverview = () => useRefresh([overviewApi.info])

export const useDismissSteps = () => useCommand(overviewApi.dismissSteps)
