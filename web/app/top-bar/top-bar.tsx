import { Link } from 'react-router'
import { BrandMark } from '#app/layouts/site-frame.tsx'
import { AccountMenu, unreadText } from './account-menu.tsx'
import './bar.css'
import { BarLinks } from './bar-links.tsx'
import { PaletteButton } from '#app/palette/palette-button.tsx'
import { paths } from '#lib/paths.ts'
import { ThemeSwitch } from './theme-switch.tsx'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import { publicPaths } from '#lib/public-paths.ts'
import { useUser } from '#lib/session/session.ts'

/* Header of the console: brand, search, shortcuts, messages and account menu. */

export function TopBar({ onMenu }: { onMenu: () => void }) {
  return (
    <header className="nl-bar">
      <button type="button" className="nl-bar-button nl-narrow-only" aria-label="打开菜单" onClick={onMenu}>
        <StrokeIcon path="M3 5h14M3 10h14M3 15h14" />
      </button>
      <Link to={publicPaths.home} className="nl-brand-link" title="返回首页">
        <BrandMark />
      </Link>
      <span className="nl-bar-gap" />
      <PaletteButton />
      <BarLinks />
      <Bell />
      <ThemeSwitch />
      <AccountMenu />
    </header>
  )
}

/** Bell with the number of unread messages; it follows the account's live channel. */
function Bell() {
  const { message_count } = useUser()
  const label = message_count > 0 ? `我的消息，${unreadText(message_count)} 条未读` : '我的消息'
  return (
    <Link to={paths.messages} className="nl-bar-link" aria-label={label} title={label}>
      <StrokeIcon path="M10 3a5 5 0 0 0-5 5c0 4-1.5 5-2 6h14c-.5-1-2-2-2-6a5 5 0 0 0-5-5M8 16.5a2.2 2.2 0 0 0 4 0" />
      {message_count > 0 && (
        <b className="nl-badge" aria-hidden="true">
          {unreadText(message_count)}
        </b>
      )}
    </Link>
  )
}
