import IconInfoCircle from '@douyinfe/semi-icons/lib/es/icons/IconInfoCircle'
import Popover from '@douyinfe/semi-ui/lib/es/popover'
import type { ReactNode } from 'react'
import './tooltip.css'

interface InfoPopoverProps {
  /** Names the button: 组网信息. */
  readonly label: string
  readonly children: ReactNode
}

/** Semi's popover is a dialog that takes no name. */
const nameDialog = (content: HTMLElement | null, label: string) =>
  content?.closest('[role="dialog"]')?.setAttribute('aria-label', label)

/** ⓘ behind which facts stand that hardly anybody looks up. */
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
