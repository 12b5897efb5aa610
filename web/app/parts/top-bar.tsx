import { Link } from 'react-router'
import { AccountMenu } from './account-menu.tsx'
import './bar.css'
import { BrandMark } from './brand-mark.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { StrokeIcon } from '../../ui/stroke-icon.tsx'

const DOWNLOAD = 'M10 3v9m-3.5-3 3.5 3.5L13.5 9M4 15.5h12'
const TICKET = 'M3 5h14v10H9l-3 2.5V15H3zM7 9h6M7 12h4'

interface TopBarProps {
  readonly onMenu: () => void
}

export function TopBar({ onMenu }: TopBarProps) {
  return (
    <header className="nl-bar">
      <button type="button" className="nl-bar-button nl-narrow-only" aria-label="打开菜单" onClick={onMenu}>
        <StrokeIcon path="M3 5h14M3 10h14M3 15h14" />
      </button>
      <Link to="/" className="nl-brand-link" title="返回首页">
        <BrandMark />
      </Link>
      <span className="nl-bar-gap" />
      <Link to="/download" target="_blank" className="nl-bar-link" title="下载客户端" aria-label="下载客户端">
        <StrokeIcon path={DOWNLOAD} />
        <span className="nl-wide-only">下载客户端</span>
      </Link>
      <Link to="/ticket/lists" className="nl-bar-link" title="客服工单" aria-label="客服工单">
        <StrokeIcon path={TICKET} />
        <span className="nl-wide-only">工单</span>
      </Link>
      <ThemeSwitch />
      <AccountMenu />
    </header>
  )
}
