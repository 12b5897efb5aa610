import { Link } from 'react-router'
import { AccountMenu } from './account-menu.tsx'
import { BarLinks } from './bar-links.tsx'
import './bar.css'

/** What the header of a public page shows to a signed-in visitor (account 2). */
export function VisitorTools() {
  return (
    <>
      <BarLinks />
      <Link to="/" className="nl-bar-link">
        控制台
      </Link>
      <AccountMenu />
    </>
  )
}
