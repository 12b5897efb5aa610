import IconInfoCircle from '@douyinfe/semi-icons/lib/es/icons/IconInfoCircle'
import Popover from '@douyinfe/semi-ui/lib/es/popover'
import type { ReactNode } from 'react'
import './tooltip.css'

/* Button ⓘ with a popover of facts that few users look up. */

interface InfoPopoverProps {
  /** Name of the button, such as 组网信息. */
  readonly label: string
  readonly children: ReactNode
}

/** Names the dialog of Semi's popover, which takes no name. */
const nameDialog = (content: HTMLElement | null, label: string) =>
  content?.closest('[role="dialog"]')?.setAttribute('aria-label', label)

export function InfoPopover({ label, children }: InfoPopoverProps) {
  return (
    <Popover
      trigger="click"
      position="bottomLeft"
      closeOnEsc
      content={
        <div className="nl-info" ref={(content) => nameDialog(content, label)}>
          {children}
        </div>
      }
    >
      <button type="button" className="nl-icon-button nl-info-button" aria-label={label} title={label}>
        <IconInfoCircle />
      </button>
    </Popover>
  )
}
