import type { ReactNode } from 'react'
import { MainArea } from '../../ui/main-area.tsx'
import { BrandMark } from '../parts/brand-mark.tsx'
import { NetworkArt } from '../parts/network-art.tsx'
import { SiteFooter } from '../parts/site-footer.tsx'
import { ThemeSwitch } from '../parts/theme-switch.tsx'
import './public-layout.css'

/** The door: what the service is on one side, the way in on the other. */
export function PublicLayout({ children }: { readonly children: ReactNode }) {
  return (
    <div className="nl-door">
      <NetworkArt />
      <div className="nl-door-side">
        <header>
          <a href="/" className="nl-brand-link" title="返回首页">
            <BrandMark />
          </a>
          <ThemeSwitch />
        </header>
        <MainArea>{children}</MainArea>
        <SiteFooter />
      </div>
    </div>
  )
}
