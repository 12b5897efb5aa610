import { Link } from 'react-router'
import type { Overview } from '#contract/overview/index.ts'
import { sumStates } from '#domain/health/member.ts'
import { countText } from '#lib/format/format-unit.ts'
import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { FailureStrip, useReportedFailure } from '#ui/state/failure-strip.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { AnnouncementTicker } from './announcement-ticker.tsx'
import { useAnnouncements, useAttentionRefresh, useOverview, useRefreshOverview } from './api.ts'
import { OverviewCards } from './cards/overview-cards.tsx'
import { toStaleness } from './cards/status-parts.ts'
import styles from './dashboard-page.module.css'
import { useDismissedAnnouncements } from './use-dismissed-announcements.ts'

/* Dashboard of the account: announcements, account, cards of the overview and shortcuts (account 2). */

const PRESENCE_MS = 2_000

export function DashboardPage() {
  return (
    <FailureStrip>
      <Dashboard />
    </FailureStrip>
  )
}

function Dashboard() {
  const announcements = useAnnouncements()
  const { ids: dismissed, dismiss } = useDismissedAnnouncements()
  const channel = usePresenceRefresh({ everyMs: PRESENCE_MS, read: useRefreshOverview() })
  useAttentionRefresh()
  const { data, error, mutate } = useOverview(channel === 'down')
  useReportedFailure(announcements.error, announcements.mutate)
  useReportedFailure(error, mutate)
  const overview = data?.data
  const rows = announcements.data?.data ?? []
  const stale = toStaleness({ channel, overview, hasFailed: error !== undefined })
  return (
    <div className={styles.page}>
      <h1 className="nl-sr">概览</h1>
      <div className={styles.head}>
        <AnnouncementTicker
          rows={announcements.isLoading ? undefined : rows.filter(({ id }) => !dismissed.includes(id))}
          onDismiss={dismiss}
        />
        <Account />
      </div>
      {overview !== undefined ? (
        <OverviewCards overview={overview} stale={stale} />
      ) : (
        error === undefined && <OverviewLoading />
      )}
      <Shortcuts overview={overview} />
    </div>
  )
}

/** Nickname of the signed-in person, the tag of a sub-account, and the contacts that there are. */
function Account() {
  const { nickname, username, ram, user_phone, user_email } = useUser()
  return (
    <div className={styles.account}>
      <p>
        {nickname || username}
        {ram === 1 && <span className={styles.tag}>子账号</span>}
      </p>
      {user_phone !== '' && <span>{user_phone}</span>}
      {user_email !== '' && <span>{user_email}</span>}
    </div>
  )
}

function OverviewLoading() {
  return (
    <>
      <Panel>
        <Skeleton lines={1} />
      </Panel>
      <Panel>
        <Skeleton lines={8} />
      </Panel>
    </>
  )
}

/** The four shortcuts of the specification (account 2), with live numbers if there are any. */
function Shortcuts({ overview }: { overview: Pick<Overview, 'networks' | 'members'> | undefined }) {
  const { message_count } = useUser()
  const links = [
    { to: paths.networks(), label: '智能组网', count: overview?.networks.length },
    {
      to: paths.routers(),
      label: '成员管理',
      count: overview && sumStates(overview.members.hardware) + sumStates(overview.members.software),
    },
    { to: paths.messages, label: '我的消息', count: message_count, unit: '未读 ' },
    { to: paths.tickets, label: '客服工单' },
  ]
  return (
    <nav className={styles.row} aria-label="快捷入口">
      {links.map(({ to, label, count, unit = '' }) => (
        <Link key={to} to={to}>
          {label}
          {count !== undefined && count > 0 && (
            <small>
              {' '}
              {unit}
              {countText(count)}
            </small>
          )}
        </Link>
      ))}
    </nav>
  )
}
