import type { ReactNode } from 'react'
import styles from './panel-list.module.css'

/** Rows of a side panel. */
export function PanelList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}

interface PanelRowProps {
  readonly title: string
  /** Facts of the row; false and undefined are left out. */
  readonly facts: readonly (string | false | undefined)[]
  /** Called on a click; null where the row has no page or panel of its own. */
  readonly onOpen: (() => void) | null
  /** Badge of the row's state. */
  readonly children: ReactNode
}

export function PanelRow({ title, facts, onOpen, children }: PanelRowProps) {
  return (
    <li>
      {onOpen === null ? (
        <span>{title}</span>
      ) : (
        <button type="button" className="nl-link" onClick={onOpen}>
          {title}
        </button>
      )}
      {children}
      <small>{facts.filter(Boolean).join(' · ')}</small>
    </li>
  )
}
