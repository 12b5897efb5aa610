import { Link } from 'react-router'

interface MoreLinkProps {
  readonly to: string
  /** Name of the linked objects, for screen readers: 成员. */
  readonly of: string
}

/** View-more link of a card, in the document's words (account 2). */
export function MoreLink({ to, of }: MoreLinkProps) {
  return (
    <Link to={to} aria-label={`查看更多：${of}`}>
      查看更多
    </Link>
  )
}
