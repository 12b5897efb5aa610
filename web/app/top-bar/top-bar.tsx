import { Link } from 'react-router'
import { BrandMark } from '#app/layouts/site-frame.tsx'
import { AccountMenu } from './account-menu.tsx'
import './bar.css'
import { BarLinks } from './bar-links.tsx'
import { Bell } from './bell.tsx'
import { PaletteButton } from '#app/palette/palette-button.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import { publicPaths } from '#lib/public-paths.ts'

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
