import type { MouseEvent, ReactNode } from 'react'
import './page-header.css'

/* Main content area of a page, its focus, and the skip link to it. */

/** Id of the area, which takes the focus after a navigation or after the focused element was removed. */
export const MAIN_ID = 'main'

export function focusMain(): void {
  document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
}

/** Content of the page, target of the skip link. Rendered once. */
export function MainArea({ children }: { readonly children: ReactNode }) {
  return (
    <main id={MAIN_ID} tabIndex={-1}>
      {children}
    </main>
  )
}

/** Skip link past header and menu; it does not change the address. */
export function SkipLink() {
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    focusMain()
  }
  return (
    <a href={`#${MAIN_ID}`} className="nl-skip" onClick={skip}>
      跳到主要内容
    </a>
  )
}
