import { Link } from 'react-router'
import { AccountMenu } from './account-menu.tsx'
import { BarLinks } from './bar-links.tsx'
import { publicPaths } from '#lib/public-paths.ts'
import './bar.css'

/** Header of a public page for a signed-in visitor (account 2). */
export function VisitorTools() {
  return (
    <>
      <BarLinks />
      <Link to={publicPaths.home} className="nl-bar-link">
        控制台
      </Link>
      <AccountMenu />
    </>
  )
}
