import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { Overlay } from '#ui/dialog/overlay.tsx'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import { SideMenu } from './side-menu.tsx'
import { nearestSize, SIDEBAR_PX, sizeByKey, type SidebarSize } from './sidebar-state.ts'

/* Parts of the side menu: draggable edge, foot with the version, and the drawer of narrow windows. */

const WORD = { small: '窄', medium: '中', large: '宽' } as const satisfies Record<SidebarSize, string>

/** Right edge of the menu (ARIA window splitter): dragging and arrow keys choose among the three sizes. */
export function SideEdge({ size, onSize }: { size: SidebarSize; onSize: (size: SidebarSize) => void }) {
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault() // prevents selection of text
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const left = event.currentTarget.parentElement?.getBoundingClientRect().left ?? 0
    const next = nearestSize(event.clientX - left)
    if (next !== size) onSize(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = sizeByKey(size, event.key)
    if (next === null) return
    event.preventDefault()
    onSize(next)
  }
  return (
    <div
      className="nl-side-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="菜单宽度"
      aria-valuemin={SIDEBAR_PX.small}
      aria-valuemax={SIDEBAR_PX.large}
      aria-valuenow={SIDEBAR_PX[size]}
      aria-valuetext={WORD[size]}
      title="拖动调整菜单宽度，双击恢复"
      onDoubleClick={() => onSize('medium')}
      {...{ onPointerDown, onPointerMove, onKeyDown }}
    />
  )
}

/** Version of the build (vite.config.ts). */
const VERSION: string = import.meta.env['VITE_VERSION'] ?? ''

export function SideFoot({ isFolded, onFold }: { isFolded: boolean; onFold: (folded: boolean) => void }) {
  const label = isFolded ? '展开菜单' : '收起菜单'
  return (
    <div className="nl-side-foot">
      <button
        type="button"
        className="nl-bar-button"
        aria-expanded={!isFolded}
        aria-label={label}
        title={label}
        onClick={() => onFold(!isFolded)}
      >
        <StrokeIcon path={isFolded ? 'M4 4v12M8 10h8m-3-3 3 3-3 3' : 'M4 4v12M16 10H8m3-3-3 3 3 3'} />
      </button>
      {!isFolded && VERSION !== '' && <small>版本 {VERSION}</small>}
    </div>
  )
}

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
