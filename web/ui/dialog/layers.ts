import { useSyncExternalStore } from 'react'

/** Modal layers that are open, the top one last. */
const layers: HTMLElement[] = []
const listeners = new Set<() => void>()

export const topLayer = (): HTMLElement | undefined => layers.at(-1)

/** Lays an element over the page; answers how it leaves. */
export function pushLayer(element: HTMLElement): () => void {
  layers.push(element)
  update()
  return () => {
    layers.splice(layers.indexOf(element), 1)
    update()
  }
}

/** Makes the page and every layer below the top one inert; Semi's popups stay above. */
function update(): void {
  document.getElementById('root')?.toggleAttribute('inert', layers.length > 0)
  for (const [index, layer] of layers.entries()) layer.toggleAttribute('inert', index < layers.length - 1)
  lockScroll(layers.length > 0)
  for (const listener of listeners) listener()
}

/** Keeps the page's width while its scroll bar is hidden. */
function lockScroll(locked: boolean): void {
  const page = document.documentElement
  if (locked && !page.classList.contains('nl-locked')) {
    page.style.setProperty('--nl-scroll-bar', `${window.innerWidth - page.clientWidth}px`)
  }
  page.classList.toggle('nl-locked', locked)
}

/** A modal layer covers the page. */
export const useHasLayer = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => layers.length > 0,
  )
