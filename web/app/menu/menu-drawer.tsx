import { useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { Overlay } from '#ui/dialog/overlay.tsx'
import { SideMenu } from './side-menu.tsx'

const WIDTH_PX = 288

/** The menu below 992 px; it closes as soon as a navigation begins. */
export function MenuDrawer({ onClose }: { readonly onClose: () => void }) {
  const { key: shown } = useLocation()
  const key = useNavigation().location?.key ?? shown
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
