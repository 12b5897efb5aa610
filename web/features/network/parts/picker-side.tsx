import type { ReactNode } from 'react'
import styles from './picker-side.module.css'

interface PickerSideProps {
  readonly label?: string
  readonly children: ReactNode
}

/** A list of members to choose from, with its heading, search and buttons one below the other. */
export function PickerSide({ label, children }: PickerSideProps) {
  return (
    <section className={styles.side} aria-label={label}>
      {children}
    </section>
  )
}
