/** Injected into the console by topology.ts: the frame that shows the first node of this kind, and what else stood there by then. */
globalThis.firstPaint = new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (document.querySelector(globalThis.firstNode) === null) return
    observer.disconnect()
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        resolve({
          at: performance.now(),
          elements: document.querySelectorAll('[role=application] *').length,
        }),
      ),
    )
  })
  observer.observe(document, { childList: true, subtree: true })
})

/** Milliseconds from the end of the response with the rows. */
globalThis.measureFirstPaint = async () => {
  const { at, elements } = await firstPaint
  const rows = performance.getEntriesByType('resource').find(({ name }) => name.includes('network/info'))
  return { paintMs: at - rows.responseEnd, elements }
}
