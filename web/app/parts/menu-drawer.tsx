import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { SideMenu } from './side-menu.tsx'

/** The menu below 992 px. The browser's own dialog keeps the focus inside and closes on Escape. */
export function MenuDrawer({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const opened = useRef(useLocation().key)
  const { key } = useLocation()
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (key !== opened.current) onClose()
  }, [key, onClose])
  return (
    <dialog
      ref={dialog}
      className="nl-menu-drawer"
      aria-label="菜单"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div>
        <SideMenu />
      </div>
    </dialog>
  )
}
