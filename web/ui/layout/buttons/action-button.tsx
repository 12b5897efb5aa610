import Button, { type ButtonProps } from '@douyinfe/semi-ui/lib/es/button'
import { Tooltip } from '../text/tooltip.tsx'

/* Button that explains in a tooltip why it is disabled. */

interface ActionButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Reason why the action is unavailable; null if it is available. */
  readonly blocked?: string | null
}

export function ActionButton({ blocked = null, ...props }: ActionButtonProps) {
  if (blocked === null) return <Button {...props} />
  return (
    <Tooltip content={blocked} focusable>
      <Button {...props} disabled />
    </Tooltip>
  )
}
