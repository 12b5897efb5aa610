import { Link } from 'react-router'

/* View-more link (查看更多) of a card (account 2). */

interface MoreLinkProps {
  readonly to: string
  /** Name of the linked objects for screen readers, such as 成员. */
  readonly of: string
}

export function MoreLink({ to, of }: MoreLinkProps) {
  return (
    <Link to={to} aria-label={`查看更多：${of}`}>
      查看更多
    </Link>
  )
}
