import type { KeyboardEvent, PointerEvent } from 'react'
import { nearestSize, SIDEBAR_PX, sizeByKey, type SidebarSize } from './sidebar-state.ts'

const WORD = { small: '窄', medium: '中', large: '宽' } as const satisfies Record<SidebarSize, string>

interface SideEdgeProps {
  readonly size: SidebarSize
  readonly onSize: (size: SidebarSize) => void
}

/** Right edge of the menu (ARIA window splitter): dragging and arrow keys choose among the three sizes. */
export function SideEdge({ size, onSize }: SideEdgeProps) {
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault() // no text is selected
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const left = event.currentTarget.parentElement?.getBoundingClientRect().left ?? 0
    const next = nearestSize(event.clientX - left)
    if (next !== size) onSize(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = sizeByKey(size, event.key)
    if (next === null) return
    event.preventDefault()
    onSize(next)
  }
  return (
    <div
      className="nl-side-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="菜单宽度"
      aria-valuemin={SIDEBAR_PX.small}
      aria-valuemax={SIDEBAR_PX.large}
      aria-valuenow={SIDEBAR_PX[size]}
      aria-valuetext={WORD[size]}
      title="拖动调整菜单宽度，双击恢复"
      onDoubleClick={() => onSize('medium')}
      {...{ onPointerDown, onPointerMove, onKeyDown }}
    />
  )
}
