import type { MouseEvent, ReactNode } from 'react'
import './main-area.css'

/** Where the focus goes when a page opens, and when what had it is gone. */
export const MAIN_ID = 'main'

export function focusMain(): void {
  document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
}

/** The page's own content, which the skip link leads to. Stands once. */
export function MainArea({ children }: { readonly children: ReactNode }) {
  return (
    <main id={MAIN_ID} tabIndex={-1}>
      {children}
    </main>
  )
}

/** First of all for the keyboard: past header and menu. The address stays as it is. */
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
