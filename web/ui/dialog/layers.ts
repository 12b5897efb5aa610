import { createStore, useStore } from '#lib/store.ts'

/** Modal layers that are open, the top one last. */
const layers: HTMLElement[] = []
const isCovered = createStore(false)

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

/** A modal layer covers the page. */
export const useHasLayer = (): boolean => useStore(isCovered)
