import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { withLinkedName } from '#lib/linked-name.ts'
import './page-header.css'

/* Header of a page: breadcrumb, title, facts and actions. */

/** Breadcrumb, outermost first, without the page itself. */
export type PageTrail = readonly { readonly label: string; readonly to: string }[]

interface PageHeaderProps {
  readonly title: ReactNode
  readonly trail?: PageTrail
  /** A line of facts under the title: counts, state, number. */
  readonly facts?: ReactNode
  readonly actions?: ReactNode
}

export function PageHeader({ title, trail = [], facts, actions }: PageHeaderProps) {
  return (
    <header className="nl-page-head">
      <div className="nl-page-title">
        {trail.length > 0 && (
          <nav className="nl-flow" aria-label="当前位置">
            {trail.map(({ label, to }, i) => (
              <Fragment key={to}>
                {i > 0 && <span aria-hidden="true">/</span>}
                <Link to={to} state={withLinkedName(label)}>
                  {label}
                </Link>
              </Fragment>
            ))}
          </nav>
        )}
        <h1>{title}</h1>
        {facts !== undefined && <div className="nl-page-facts">{facts}</div>}
      </div>
      {actions !== undefined && <div className="nl-flow nl-page-actions">{actions}</div>}
    </header>
  )
}
