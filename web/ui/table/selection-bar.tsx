import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import { countText } from '#lib/format-unit.ts'
import './selection-bar.css'

interface SelectionBarProps {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** Bulk actions, sticky at the bottom of the window while rows are selected. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  if (count === 0) return null
  return (
    <div className="nl-selection" role="region" aria-label="已选内容">
      <span aria-live="polite">
        已选 <strong>{countText(count)}</strong> 项
      </span>
      <Button theme="borderless" onClick={onClear}>
        清除选择
      </Button>
      <span className="nl-selection-actions">{children}</span>
    </div>
  )
}
