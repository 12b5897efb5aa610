import { useUser } from '../../../lib/session.ts'
import { usePresenceRefresh } from '../../../lib/use-presence-refresh.ts'
import { FailureStrip } from '../../../ui/failure-strip.tsx'
import { useAnnouncements, useOverview, useRefreshOverview } from '../api.ts'
import { AnnouncementTicker } from '../parts/announcement-ticker.tsx'
import { AnnouncementsCard } from '../parts/announcements-card.tsx'
import { AttentionCard } from '../parts/attention-card.tsx'
import { MembersCard } from '../parts/members-card.tsx'
import { NetworksCard } from '../parts/networks-card.tsx'
import { QuotaCard } from '../parts/quota-card.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import styles from './dashboard-page.module.css'

const PRESENCE_MS = 2_000

export function DashboardPage() {
  const announcements = useAnnouncements()
  const channel = usePresenceRefresh({ everyMs: PRESENCE_MS, read: useRefreshOverview() })
  const isDown = channel === 'down'
  const overview = useOverview(isDown)
  return (
    <FailureStrip>
      <div className={styles.page}>
        <AnnouncementTicker rows={announcements.isLoading ? undefined : (announcements.data?.data ?? [])} />
        <Greeting />
        <Shortcuts />
        <div className={styles.grid}>
          <AttentionCard query={overview} />
          <MembersCard query={overview} isStale={isDown} />
          <NetworksCard query={overview} isStale={isDown} />
          <QuotaCard />
          <AnnouncementsCard query={announcements} />
        </div>
      </div>
    </FailureStrip>
  )
}

function Greeting() {
  const { nickname, username, ram, user_phone, user_email } = useUser()
  return (
    <header className={styles.greeting}>
      <h1>
        {nickname || username}
        {ram === 1 && <span className={styles.tag}>子账号</span>}
      </h1>
      {user_phone !== '' && <span>{user_phone}</span>}
      {user_email !== '' && <span>{user_email}</span>}
    </header>
  )
}
