import { announcementsApi } from '../../../worker/contract/announcements.ts'
import { STATUS_POLL_MS } from '../../../worker/contract/limits.ts'
import { overviewApi } from '../../../worker/contract/overview.ts'
import { useQuery, useRefresh } from '../../lib/use-endpoint.ts'

export const useAnnouncements = () => useQuery(announcementsApi.lists, { page: 1 })

const QUIET_POLL_MS = 300_000 // curve, availability and days left move on while no frame comes

/** Members, networks and what is not well, in one reply: its numbers cannot contradict each other. */
export const useOverview = (isPolled: boolean) =>
  useQuery(overviewApi.info, {}, { pollMs: isPolled ? STATUS_POLL_MS : QUIET_POLL_MS })

/** Reads again what depends on presence. */
export function useRefreshOverview(): () => void {
  const refresh = useRefresh()
  return () => refresh([overviewApi.info])
}
