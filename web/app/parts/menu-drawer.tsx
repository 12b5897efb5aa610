import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Overlay } from '../../ui/overlay.tsx'
import { SideMenu } from './side-menu.tsx'

const WIDTH_PX = 288

/** The menu below 992 px; it closes with every navigation. */
export function MenuDrawer({ onClose }: { readonly onClose: () => void }) {
  const { key } = useLocation()
  const opened = useRef(key)
  useEffect(() => {
    if (key !== opened.current) onClose()
  }, [key, onClose])
  return (
    <Overlay kind="menu" title="菜单" onClose={onClose} widthPx={WIDTH_PX} closeOutside>
      <SideMenu />
    </Overlay>
  )
}
