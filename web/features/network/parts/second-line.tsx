import type { ReactNode } from 'react'
import styles from './second-line.module.css'

/** Secondary text under a name in a table: number, type. */
export function SecondLine({ children }: { readonly children: ReactNode }) {
  return <div className={styles.line}>{children}</div>
}
