import Button, { type ButtonProps } from '@douyinfe/semi-ui/lib/es/button'
import { Tooltip } from '../text/tooltip.tsx'

interface ActionButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Reason why the action is unavailable; null if it is available. */
  readonly blocked?: string | null
}

/** A disabled button explains itself in a tooltip. */
export function ActionButton({ blocked = null, ...props }: ActionButtonProps) {
  if (blocked === null) return <Button {...props} />
  return (
    <Tooltip content={blocked} focusable>
      <Button {...props} disabled />
    </Tooltip>
  )
}
