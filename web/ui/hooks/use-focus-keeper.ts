import { type RefObject, useEffect } from 'react'
import { focusMain } from '#ui/layout/main-area.tsx'

/* Hook that keeps the focus in the page when the focused element is removed, such as after a deletion. */

const FOCUSABLE = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled)'

/** Focused element with its place in each of its ancestors, innermost first. */
interface Place {
  readonly element: Element
  readonly steps: readonly { readonly parent: Element; readonly index: number }[]
}

function locate(element: Element, root: Element): Place {
  const steps = []
  for (let at = element; at !== root && at.parentElement !== null; at = at.parentElement) {
    steps.push({ parent: at.parentElement, index: [...at.parentElement.children].indexOf(at) })
  }
  return { element, steps }
}

/** Focuses the entry after the removed element; without one the last entry, or the page. */
function focusSuccessor({ steps }: Place, root: Element): void {
  const step = steps.find(({ parent }) => parent.isConnected && parent !== root)
  const after = [...(step?.parent.children ?? [])].slice(step?.index)
  for (const candidate of [...after, step?.parent.lastElementChild, step?.parent]) {
    const target = candidate?.matches(FOCUSABLE) ? candidate : candidate?.querySelector(FOCUSABLE)
    if (target instanceof HTMLElement) return target.focus({ preventScroll: true })
  }
  focusMain()
}

export function useFocusKeeper(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = page.current
    if (root === null) return
    let place: Place | null = null
    const onFocusIn = ({ target }: FocusEvent) => {
      place = target instanceof Element ? locate(target, root) : null
    }
    // A removal may fire the event too; only an event whose element is still there counts.
    const onFocusOut = ({ target, relatedTarget }: FocusEvent) =>
      queueMicrotask(() => {
        if (relatedTarget === null && (target as Element).isConnected) place = null
      })
    const observer = new MutationObserver(() => {
      if (place === null || place.element.isConnected || document.activeElement !== document.body) return
      const lost = place
      place = null
      focusSuccessor(lost, root)
    })
    root.addEventListener('focusin', onFocusIn)
    root.addEventListener('focusout', onFocusOut)
    observer.observe(root, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      root.removeEventListener('focusin', onFocusIn)
      root.removeEventListener('focusout', onFocusOut)
    }
  }, [page])
}
