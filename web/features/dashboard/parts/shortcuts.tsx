import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import styles from './shortcuts.module.css'

const TILES = [
  {
    to: paths.networks(),
    label: '智能组网',
    hint: '组网、成员与链路',
    icon: 'M12 8V4M9.5 14 5 18.5M14.5 14l4.5 4.5M12 15a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7',
  },
  {
    to: paths.routers(),
    label: '成员管理',
    hint: '硬件与软件成员',
    icon: 'M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.1M7.5 16h.1M11 8h6M11 16h6',
  },
  { to: paths.messages, label: '我的消息', hint: '系统与业务通知', icon: 'M4 6h16v12H4zM4.5 7l7.5 6 7.5-6' },
  {
    to: paths.tickets,
    label: '客服工单',
    hint: '提交问题，跟进回复',
    icon: 'M4 5h16v12h-9l-4 3v-3H4zM8 10h8M8 13h5',
  },
] as const

export function Shortcuts() {
  return (
    <nav className={styles.tiles} aria-label="快捷入口">
      {TILES.map(({ to, label, hint, icon }) => (
        <Link key={to} to={to}>
          <svg
            viewBox="0 0 24 24"
            width="24"
            height="24"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.6"
            aria-hidden="true"
          >
            <path d={icon} strokeLinecap="round" strokeLinejoin="round" />
          </svg>
          <span>
            <strong>{label}</strong>
            <small>{hint}</small>
          </span>
        </Link>
      ))}
    </nav>
  )
}
