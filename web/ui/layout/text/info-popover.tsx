import IconInfoCircle from '@douyinfe/semi-icons/lib/es/icons/IconInfoCircle'
import { type ReactNode, useCallback } from 'react'
import { PopupButton } from '#ui/dialog/popup-button.tsx'
import './tooltip.css'

/* Button ⓘ with a popup of facts that few users look up. */

interface InfoPopoverProps {
  /** Name of the button, such as 组网信息. */
  readonly label: string
  readonly children: ReactNode
}

export function InfoPopover({ label, children }: InfoPopoverProps) {
  const takeFocus = useCallback((content: HTMLElement | null) => content?.focus({ preventScroll: true }), [])
  return (
    <PopupButton label={label} className="nl-icon-button nl-info-button" icon={<IconInfoCircle />}>
      {() => (
        <div className="nl-info" ref={takeFocus} tabIndex={-1}>
          {children}
        </div>
      )}
    </PopupButton>
  )
}
