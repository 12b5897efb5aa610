import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import './bar.css'

/*
 * Links of the header to downloads and support tickets (account 2). On a phone, signed-in users have them in the account
 * menu.
 */

const DOWNLOAD = 'M10 3v9m-3.5-3 3.5 3.5L13.5 9M4 15.5h12'
const TICKET = 'M3 5h14v10H9l-3 2.5V15H3zM7 9h6M7 12h4'

export function BarLinks({ isVisitor = false }: { readonly isVisitor?: boolean }) {
  const className = isVisitor ? 'nl-bar-link' : 'nl-bar-link nl-not-phone'
  return (
    <>
      <Link
        to={paths.download}
        {...(!isVisitor && { target: '_blank' })}
        className={className}
        title="下载客户端"
        aria-label="下载客户端"
      >
        <StrokeIcon path={DOWNLOAD} />
        <span className="nl-wide-only">下载客户端</span>
      </Link>
      <Link to={paths.tickets} className={className} title="客服工单" aria-label="客服工单">
        <StrokeIcon path={TICKET} />
        <span className="nl-wide-only">工单</span>
      </Link>
    </>
  )
}
