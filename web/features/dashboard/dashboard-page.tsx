import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { FailureStrip, useReportedFailure } from '#ui/state/failure-strip.tsx'
import { useAnnouncements, useOverview, useRefreshOverview } from './api.ts'
import { AnnouncementTicker } from './announcement-ticker.tsx'
import { Greeting } from './greeting.tsx'
import { OverviewCards } from './cards/overview-cards.tsx'
import { OverviewLoading } from './overview-loading.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { toStaleness } from './staleness.ts'
import styles from './dashboard-page.module.css'

const PRESENCE_MS = 2_000

export function DashboardPage() {
  return (
    <FailureStrip>
      <Dashboard />
    </FailureStrip>
  )
}

/** Dashboard: current faults, how it went in the last 24 hours, and where to go on. */
function Dashboard() {
  const announcements = useAnnouncements()
  const channel = usePresenceRefresh({ everyMs: PRESENCE_MS, read: useRefreshOverview() })
  const { data, error, mutate } = useOverview(channel === 'down')
  useReportedFailure(announcements.error, announcements.mutate)
  useReportedFailure(error, mutate)
  const overview = data?.data
  const stale = toStaleness({ channel, overview, hasFailed: error !== undefined })
  return (
    <div className={styles.page}>
      <h1 className="nl-sr">概览</h1>
      {overview !== undefined ? (
        <OverviewCards overview={overview} stale={stale} />
      ) : (
        error === undefined && <OverviewLoading />
      )}
      <AnnouncementTicker rows={announcements.isLoading ? undefined : (announcements.data?.data ?? [])} />
      <div className={styles.foot}>
        <Greeting />
        <Shortcuts overview={overview} />
      </div>
    </div>
  )
}
