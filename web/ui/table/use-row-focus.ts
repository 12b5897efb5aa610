import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { MAIN_ID } from '#ui/layout/main-area.tsx'

const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled])'

interface Place {
  readonly key: string
  readonly index: number
}

/**
 * Keeps the focus in the table when the row that has it, or that opened a dialog, is gone: the row that took its place gets
 * it, of no rows the table's box. Spread `onFocus` over that box.
 */
export function useRowFocus(keys: readonly string[], box: RefObject<HTMLElement | null>) {
  const place = useRef<Place | null>(null)
  const lost = useRef<Place | null>(null)
  const joined = keys.join('\n')

  useLayoutEffect(() => {
    const at = place.current
    if (at === null || joined.split('\n').includes(at.key)) return
    place.current = null
    lost.current = at
    if (isNowhere(document.activeElement)) restoreFocus(box.current, lost)
  }, [joined, box])

  // A dialog that closes after its row is gone gives the focus to the page.
  useEffect(() => {
    const onFocusIn = ({ target }: Event) => {
      if (lost.current === null || !(target instanceof Element)) return
      if (isNowhere(target)) restoreFocus(box.current, lost)
      else if (target.closest('[aria-modal]') === null) lost.current = null
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [box])

  return (event: FocusEvent) => {
    const row = event.target.closest<HTMLElement>('[data-row]')
    const key = row?.dataset['row']
    place.current = key === undefined ? null : { key, index: keys.indexOf(key) }
  }
}

const isNowhere = (element: Element | null): boolean =>
  element === null || element === document.body || element.id === MAIN_ID

function restoreFocus(box: HTMLElement | null, lost: { current: Place | null }): void {
  const rows = box?.querySelectorAll<HTMLElement>('[data-row]') ?? []
  const row = rows[Math.min(lost.current?.index ?? 0, rows.length - 1)]
  lost.current = null
  const target =
    row?.querySelector<HTMLElement>(`.nl-name :is(${FOCUSABLE})`) ?? row?.querySelector<HTMLElement>(FOCUSABLE)
  const place = target ?? box
  place?.focus({ preventScroll: true })
}
