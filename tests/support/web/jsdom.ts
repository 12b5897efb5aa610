import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)

/** Test files share a window. */
document.body.replaceChildren()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')

/** `findBy…` and `waitFor`: a lazily imported part may take seconds on a busy machine. */
configure({ asyncUtilTimeout: 20_000 })

/** What jsdom has not: Semi measures text on a canvas and watches media and sizes. */
HTMLCanvasElement.prototype.getContext = (() => ({
  fillRect() {},
  getImageData: () => ({ data: [] }),
  measureText: () => ({ width: 0 }),
})) as never
globalThis.matchMedia ??= ((media: string) => ({
  matches: false,
  media,
  addListener() {},
  removeListener() {},
  addEventListener() {},
  removeEventListener() {},
})) as never
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
} as never
Element.prototype.scrollIntoView ??= () => {}

// Every browser has it (WHATWG File API); nothing here reads what it answers.
Blob.prototype.arrayBuffer ??= () => Promise.resolve(new ArrayBuffer(0))
