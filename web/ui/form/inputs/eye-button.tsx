import IconEyeClosed from '@douyinfe/semi-icons/lib/es/icons/IconEyeClosedSolid'
import IconEyeOpened from '@douyinfe/semi-icons/lib/es/icons/IconEyeOpened'

/** Shows or hides what is typed. Semi's has an English accessible name. */
export const EyeButton = ({ label, isShown, onToggle }: { label: string; isShown: boolean; onToggle: () => void }) => (
  <button
    type="button"
    className="nl-eye"
    aria-label={label}
    aria-pressed={isShown}
    onMouseDown={(event) => event.preventDefault()} // the field keeps the focus
    onClick={onToggle}
  >
    {isShown ? <IconEyeOpened /> : <IconEyeClosed />}
  </button>
)
