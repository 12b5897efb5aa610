import { Link } from 'react-router'
import { AccountMenu } from './account-menu.tsx'
import './bar.css'
import { BarLinks } from './bar-links.tsx'
import { Bell } from './bell.tsx'
import { PaletteButton } from '#app/palette/palette-button.tsx'
import { BrandMark } from '#app/layouts/brand-mark.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { StrokeIcon } from '#ui/layout/buttons/stroke-icon.tsx'
import { publicPaths } from '#lib/public-paths.ts'

interface TopBarProps {
  readonly onMenu: () => void
}

export function TopBar({ onMenu }: TopBarProps) {
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
