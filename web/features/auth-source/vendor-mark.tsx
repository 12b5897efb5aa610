import type { AuthSourceType } from '#contract/auth-source/index.ts'
import { VENDOR } from './vendor-text.ts'
import styles from './auth-source.module.css'

/** Stands for the vendor's logo, which is theirs. */
export const VendorMark = ({ type }: { readonly type: AuthSourceType }) => (
  <span className={styles.mark} aria-hidden="true">
    {VENDOR[type].mark}
  </span>
)
