import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { dismissToast, toastStore } from '#lib/toast/toast.ts'

afterEach(() => {
  cleanup()
  for (const { id } of toastStore.get()) dismissToast(id) // they last for seconds, into the next test
})

/** Test files share a window. */
document.body.replaceChildren()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')

/** Pages of earlier files are no other tabs: a sign-in in this file would reload them. */
const shared = globalThis as { openChannels?: Set<BroadcastChannel> }
for (const channel of shared.openChannels ?? []) channel.close()
const openChannels = (shared.openChannels ??= trackChannels())
openChannels.clear()

function trackChannels(): Set<BroadcastChannel> {
  const channels = new Set<BroadcastChannel>()
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(name)
      channels.add(this)
    }
  }
  return channels
}

/** `findBy…` and `waitFor`: a lazily imported part may take seconds on a busy machine. */
configure({ asyncUtilTimeout: 20_000 })

/** Browser features that jsdom lacks: Semi measures text on a canvas and watches media and sizes. */
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
