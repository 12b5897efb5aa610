import { type ReactNode, useRef, useState } from 'react'
import { type Close, Popup } from './popup.tsx'

/* Button that opens and closes a popup under it, and gets the focus back. */

interface PopupButtonProps {
  /** Name of the button. */
  readonly label: string
  /** Name of the popup, if it is another. */
  readonly title?: string
  readonly className: string
  readonly icon: ReactNode
  /** Loads the content; false: the popup stays closed. */
  readonly load?: () => Promise<boolean>
  readonly children: (close: Close) => ReactNode
}

interface ContentProps {
  readonly render: PopupButtonProps['children']
  readonly onClose: Close
}

const Content = ({ render, onClose }: ContentProps) => <>{render(onClose)}</>

export function PopupButton({ label, title = label, className, icon, load, children }: PopupButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const toggle = async () => {
    if (isOpen) setOpen(false)
    else if (load === undefined || (await load())) setOpen(true)
  }
  const close = (returnsFocus: boolean) => {
    setOpen(false)
    if (returnsFocus) button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => void toggle()}
      >
        {icon}
      </button>
      {isOpen && (
        <Popup label={title} field={button} onClose={close}>
          <Content render={children} onClose={close} />
        </Popup>
      )}
    </>
  )
}
