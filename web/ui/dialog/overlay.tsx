import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { pushLayer, topLayer } from './layers.ts'
import { MAIN_ID } from '#ui/layout/main-area.tsx'
import './overlay.css'
import { PanelHead } from './panel-content.tsx'
import { useEscape } from './use-escape.ts'

/* Modal layer of all dialogs, confirmations and drawers: focus, Escape, inert page. */

interface OverlayProps {
  /** `drawer` slides in from the right, `menu` from the left; `palette` has no visible head. */
  readonly kind: 'dialog' | 'alertdialog' | 'drawer' | 'menu' | 'palette'
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  readonly widthPx: number
  /** Closes by a click beside it; only for layers without input. */
  readonly closeOutside?: boolean
  /** Id of the text that a screen reader reads after the title. */
  readonly describedBy?: string
}

/** Opener of a layer that leaves in this commit; a layer that replaces it, such as a loaded form, takes the same opener. */
let leavingOpener: Element | null = null
const FIRST_FIELD = 'form :is(input, textarea, [role="combobox"]):not([type="hidden"], [hidden], [disabled])'

/**
 * Buttons that do not take the focus: blur may show a field's error line, which would move the button during the
 * click.
 */
const isFrameButton = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('.nl-panel-head button, .nl-panel-foot button') !== null

/** Returns the focus to the opener; if that is gone, to the layer below or to the content of the page. */
function returnFocus(opener: Element | null): void {
  if (topLayer()?.contains(document.activeElement)) return // a layer below the focused one has left
  const isThere = opener !== document.body && opener?.isConnected
  const place = isThere ? opener : (topLayer()?.firstElementChild ?? document.getElementById(MAIN_ID))
  if (place instanceof HTMLElement) place.focus({ preventScroll: true })
}

/**
 * Used in place of Semi's Modal, which has fixed ids, closes every open layer on one Escape and weighs 44 kB, and of its
 * SideSheet, which keeps no focus.
 */
export function Overlay({ kind, title, onClose, children, widthPx, closeOutside = false, describedBy }: OverlayProps) {
  const titleId = useId()
  const layer = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const opener = useRef<Element | null>(null)
  const pressedOutside = useRef(false)
  useEscape(onClose)

  // Before the browser paints, so that the layer gets every key pressed once it is visible.
  useLayoutEffect(() => {
    const element = layer.current
    if (element === null) return
    const { activeElement } = document
    opener.current ??= activeElement === document.body ? (leavingOpener ?? activeElement) : activeElement
    const leave = pushLayer(element)
    const find = (selector: string) => panel.current?.querySelector<HTMLElement>(selector)
    const first = find('[data-autofocus]') ?? find(FIRST_FIELD) ?? panel.current
    first?.focus()
    return () => {
      leavingOpener = opener.current
      leave()
    }
  }, [])

  useEffect(() => {
    const element = layer.current
    return () => {
      // Development runs effects twice; a focus that left its field in between would mark the field as wrong.
      if (element?.isConnected === false) returnFocus(opener.current)
      leavingOpener = null
    }
  }, [])

  return createPortal(
    <div
      ref={layer}
      className={`nl-layer nl-layer-${kind}`}
      // A drag from inside to outside, such as a text selection, is no click beside the panel.
      onMouseDown={(event) => {
        pressedOutside.current = event.target === event.currentTarget
        if (isFrameButton(event.target)) event.preventDefault()
      }}
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
        aria-describedby={describedBy}
        tabIndex={-1}
      >
        {kind === 'palette' ? (
          <h2 id={titleId} className="nl-sr">
            {title}
          </h2>
        ) : (
          <PanelHead {...{ title, titleId, onClose }} />
        )}
        {children}
      </div>
    </div>,
    document.body,
  )
}
