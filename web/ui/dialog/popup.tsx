import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { createPortal } from 'react-dom'
import { useLatest } from '#lib/use-latest.ts'
import './popup.css'
import { useEscape } from './use-escape.ts'

/* Popup: a panel under its field, over page and dialogs, that keeps the focus until it closes. */

const GAP_PX = 4
const EDGE_PX = 8

export type Close = (returnsFocus: boolean) => void

interface PopupProps {
  readonly label: string
  readonly field: RefObject<HTMLElement>
  /** `true` after Escape: the focus returns to the opener. Otherwise the focus stays on the pressed element. */
  readonly onClose: Close
  readonly children: ReactNode
}

export function Popup({ label, field, onClose, children }: PopupProps) {
  const panel = useRef<HTMLDivElement>(null)
  useEscape(() => onClose(true))
  usePlace(panel, field)
  useOutside(panel, field, onClose)
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation() // the page or dialog below has its own keys
    if (event.key === 'Tab') keepTab(event, panel.current)
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !panel.current?.contains(relatedTarget)) onClose(false)
  }
  return createPortal(
    <div
      ref={panel}
      className="nl-popup"
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {children}
    </div>,
    document.body,
  )
}

/** Tab runs in a circle, because the panel stands at the end of the document. */
function keepTab(event: KeyboardEvent, panel: HTMLElement | null): void {
  const places = [...(panel?.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), [tabindex="0"]') ?? [])]
  const [first, last] = [places[0], places.at(-1)]
  if (document.activeElement !== (event.shiftKey ? first : last)) return
  event.preventDefault()
  const next = event.shiftKey ? last : first
  next?.focus()
}

/** Places the panel under the field, or above it if there is more room, and never beyond the window. */
function usePlace(panel: RefObject<HTMLElement>, field: RefObject<HTMLElement>): void {
  useLayoutEffect(() => {
    const element = panel.current
    const opener = field.current
    if (element === null || opener === null) return
    const place = () => {
      const { left, top, bottom } = opener.getBoundingClientRect()
      const { offsetWidth: width, offsetHeight: height } = element
      const isBelow = bottom + GAP_PX + height <= innerHeight || top < innerHeight - bottom
      const wished = isBelow ? bottom + GAP_PX : top - GAP_PX - height
      const x = Math.max(EDGE_PX, Math.min(left, innerWidth - width - EDGE_PX))
      const y = Math.max(EDGE_PX, Math.min(wished, innerHeight - height - EDGE_PX))
      element.style.setProperty('translate', `${x}px ${y}px`)
    }
    place()
    const watch = new ResizeObserver(place)
    watch.observe(element)
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    return () => {
      watch.disconnect()
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [panel, field])
}

/** A press outside of panel and field closes it. */
function useOutside(panel: RefObject<HTMLElement>, field: RefObject<HTMLElement>, onClose: Close): void {
  const latest = useLatest(onClose)
  useEffect(() => {
    const press = ({ target }: MouseEvent) => {
      const isInside = target instanceof Node && [panel, field].some(({ current }) => current?.contains(target))
      if (!isInside) latest.current(false)
    }
    document.addEventListener('mousedown', press, { capture: true })
    return () => document.removeEventListener('mousedown', press, { capture: true })
  }, [panel, field, latest])
}
