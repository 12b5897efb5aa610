import IconInfoCircle from '@douyinfe/semi-icons/lib/es/icons/IconInfoCircle'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { Popup } from '#ui/dialog/popup.tsx'
import './tooltip.css'

/* Button ⓘ with a popup of facts that few users look up. */

interface InfoPopoverProps {
  /** Name of the button, such as 组网信息. */
  readonly label: string
  readonly children: ReactNode
}

export function InfoPopover({ label, children }: InfoPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const takeFocus = useCallback((content: HTMLElement | null) => content?.focus({ preventScroll: true }), [])
  const close = (returnsFocus: boolean) => {
    setOpen(false)
    if (returnsFocus) button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="nl-icon-button nl-info-button"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <IconInfoCircle />
      </button>
      {isOpen && (
        <Popup label={label} field={button} onClose={close}>
          <div className="nl-info" ref={takeFocus} tabIndex={-1}>
            {children}
          </div>
        </Popup>
      )}
    </>
  )
}
