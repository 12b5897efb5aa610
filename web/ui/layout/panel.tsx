import { type ReactNode, useId } from 'react'
import './page-header.css'

/* Panel of a page, with an optional title and actions. */

export function Panel({ title, actions, children }: { title?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const id = useId()
  if (title === undefined) return <section className="nl-panel">{children}</section>
  return (
    <section className="nl-panel" aria-labelledby={id}>
      <header className="nl-flow">
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
