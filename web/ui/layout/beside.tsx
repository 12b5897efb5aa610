import type { ReactNode } from 'react'
import '#ui/dialog/side-panel.css'
import { useTopOffset } from '#ui/hooks/use-top-offset.ts'

/** Content, and a SidePanel beside it where one is open; both may fill the window below what stands above (`--nl-top`). */
export function Beside({ children }: { readonly children: ReactNode }) {
  const place = useTopOffset()
  return (
    <div ref={place} className="nl-beside">
      {children}
    </div>
  )
}
