import { announcementsApi } from '../../../../worker/contract/announcements.ts'
import { useUser } from '../../../lib/session.ts'
import { useQuery } from '../../../lib/use-endpoint.ts'
import { AnnouncementTicker } from '../parts/announcement-ticker.tsx'
import { AnnouncementsCard } from '../parts/announcements-card.tsx'
import { AttentionCard } from '../parts/attention-card.tsx'
import { MembersCard } from '../parts/members-card.tsx'
import { NetworksCard } from '../parts/networks-card.tsx'
import { QuotaCard } from '../parts/quota-card.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { useMemberState } from '../use-member-state.ts'
import './dashboard.css'

export function DashboardPage() {
  const announcements = useQuery(announcementsApi.lists, { page: 1 })
  const members = useMemberState()
  return (
    <div className="nl-dashboard">
      {announcements.isLoading ? (
        <div className="nl-ticker" aria-hidden="true" />
      ) : (
        <AnnouncementTicker rows={announcements.data?.data ?? []} />
      )}
      <Greeting />
      <Shortcuts />
      <div className="nl-dash">
        <MembersCard query={members.quantity} channel={members.channel} />
        <NetworksCard />
        <QuotaCard />
        <AttentionCard query={members.attention} channel={members.channel} />
        <AnnouncementsCard query={announcements} />
      </div>
    </div>
  )
}

function Greeting() {
  const { nickname, username, ram, user_phone, user_email } = useUser()
  return (
    <header className="nl-greeting">
      <h1>
        {nickname || username}
        {ram === 1 && <span className="nl-greeting-tag">子账号</span>}
      </h1>
      {user_phone !== '' && <span>{user_phone}</span>}
      {user_email !== '' && <span>{user_email}</span>}
    </header>
  )
}
