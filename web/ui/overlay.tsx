import IconClose from '@douyinfe/semi-icons/lib/es/icons/IconClose'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import './overlay.css'
import { useEscape } from './use-escape.ts'

interface OverlayProps {
  readonly kind: 'dialog' | 'alertdialog' | 'drawer'
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  readonly widthPx: number
  /** Only what holds no input may be closed by a click beside it. */
  readonly closeOutside?: boolean
}

const layers: HTMLElement[] = []
const FIRST_FIELD = 'form :is(input, textarea, [role="combobox"]):not([type="hidden"], [disabled])'

/** The page and every layer below the top one cannot be reached while a layer is open; Semi's popups stay above. */
function setReach(): void {
  document.getElementById('root')?.toggleAttribute('inert', layers.length > 0)
  for (const [index, layer] of layers.entries()) layer.toggleAttribute('inert', index < layers.length - 1)
  lockScroll(layers.length > 0)
}

/** The page keeps its width when its scroll bar goes. */
function lockScroll(locked: boolean): void {
  const page = document.documentElement
  if (locked && !page.classList.contains('nl-locked')) {
    page.style.setProperty('--nl-scroll-bar', `${window.innerWidth - page.clientWidth}px`)
  }
  page.classList.toggle('nl-locked', locked)
}

/**
 * The one modal layer under dialogs, confirmations and drawers. Semi's Modal has fixed ids, closes every open layer on
 * one Escape and weighs 44 kB; its SideSheet keeps no focus.
 */
export function Overlay({ kind, title, onClose, children, widthPx, closeOutside = false }: OverlayProps) {
  const titleId = useId()
  const layer = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const pressedOutside = useRef(false)
  useEscape(onClose)

  useEffect(() => {
    const element = layer.current
    if (element === null) return
    const before = document.activeElement
    layers.push(element)
    setReach()
    const find = (selector: string) => panel.current?.querySelector<HTMLElement>(selector)
    const first = find('[data-autofocus]') ?? find(FIRST_FIELD) ?? panel.current
    first?.focus()
    return () => {
      layers.splice(layers.indexOf(element), 1)
      setReach()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  return createPortal(
    <div
      ref={layer}
      className={`nl-layer nl-layer-${kind}`}
      // A drag that starts inside, as when selecting text, and ends outside is no click beside the panel.
      onMouseDown={(event) => (pressedOutside.current = event.target === event.currentTarget)}
      onMouseUp={(event) => {
        if (closeOutside && pressedOutside.current && event.target === event.currentTarget) onClose()
      }}
    >
      <div
        ref={panel}
        className="nl-panel-modal"
        style={{ width: widthPx }}
        role={kind === 'alertdialog' ? 'alertdialog' : 'dialog'}
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
      >
        <header className="nl-panel-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="nl-icon-button" aria-label="关闭" onClick={onClose}>
            <IconClose />
          </button>
        </header>
        {children}
      </div>
    </div>,
    document.body,
  )
}
