import { Link } from 'react-router'
import type { Overview } from '#contract/overview/index.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { sumStates } from '#domain/health/member.ts'
import styles from './shortcuts.module.css'

interface ShortcutsProps {
  /** Overview; undefined while it loads. */
  readonly overview: Pick<Overview, 'networks' | 'members'> | undefined
}

/** The four shortcuts of the document (account 2), with live numbers where there are any. */
export function Shortcuts({ overview }: ShortcutsProps) {
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
