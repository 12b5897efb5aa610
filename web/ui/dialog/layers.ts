import { createStore, useStore } from '#lib/store.ts'

/* Stack of modal layers: the page and lower layers are inert, and the page does not scroll. */

/** Open modal layers, the top one last. */
const layers: HTMLElement[] = []
const isCovered = createStore(false)

export const topLayer = (): HTMLElement | undefined => layers.at(-1)

/** Puts an element on top of the page; returns a function that removes it. */
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
  isCovered.set(layers.length > 0)
}

/** Keeps the page's width while its scroll bar is hidden. */
function lockScroll(locked: boolean): void {
  const page = document.documentElement
  if (locked && !page.classList.contains('nl-locked')) {
    page.style.setProperty('--nl-scroll-bar', `${window.innerWidth - page.clientWidth}px`)
  }
  page.classList.toggle('nl-locked', locked)
}

/** True while a modal layer covers the page. */
export const useHasLayer = (): boolean => useStore(isCovered)
