import Button, { type ButtonProps } from '@douyinfe/semi-ui/lib/es/button'
import { Hint } from './hint.tsx'

interface ActionButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Why it cannot be done here and now; null where it can. */
  readonly blocked?: string | null
}

/** A button that says why it is off. */
export function ActionButton({ blocked = null, ...props }: ActionButtonProps) {
  if (blocked === null) return <Button {...props} />
  return (
    <Hint content={blocked} focusable>
      <Button {...props} disabled />
    </Hint>
  )
}
