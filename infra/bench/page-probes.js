/** Measurements inside a page, and a drawing by X6 with default options as a peer. */
globalThis.bench = {
  drawn: () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),

  countFrames() {
    const frames = (bench.frames = [])
    const tick = (now) => {
      frames.push(now)
      if (bench.frames === frames) requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  },

  framesPerSecond() {
    const { frames } = bench
    bench.frames = null
    return ((frames.length - 1) * 1000) / (frames.at(-1) - frames[0])
  },

  countLongTasks() {
    const entries = (bench.tasks = [])
    bench.observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
    bench.observer.observe({ type: 'longtask' })
  },

  longTasks() {
    bench.tasks.push(...bench.observer.takeRecords())
    bench.observer.disconnect()
    return bench.tasks.length
  },

  /** The frame that shows the first node that matches `firstNode`, and the elements that stand there by then. */
  firstPaint: new Promise((resolve) => {
    const observer = new MutationObserver(async () => {
      const { firstNode } = globalThis
      if (firstNode === undefined) observer.disconnect()
      else if (document.querySelector(firstNode) !== null) {
        observer.disconnect()
        await bench.drawn()
        resolve({ at: performance.now(), elements: document.querySelectorAll('[role=application] *').length })
      }
    })
    observer.observe(document, { childList: true, subtree: true })
  }),

  /** Milliseconds from the end of the response with the rows. */
  async measureFirstPaint() {
    const { at, elements } = await bench.firstPaint
    const rows = performance.getEntriesByType('resource').find(({ name }) => name.includes('network/info'))
    return { paintMs: at - rows.responseEnd, elements }
  },

  /** The same members and links in the same kind of grid; milliseconds until all of it is there. */
  async plainX6(points, centers) {
    const startedAt = performance.now()
    const graph = new X6.Graph({ container: document.querySelector('#paper'), panning: true })
    const done = new Promise((resolve) => graph.on('render:done', resolve))
    const node = (id, x, y) => ({ id, x, y, width: 184, height: 44, label: id, shape: 'rect' })
    const names = Array.from({ length: points }, (_, i) => `P${i}`)
    graph.fromJSON({
      nodes: [
        ...centers.map((id, i) => node(id, 0, i * 64)),
        ...names.map((id, i) => node(id, 344 + (i % 40) * 224, Math.floor(i / 40) * 64)),
      ],
      edges: names.flatMap((target) => centers.map((source) => ({ source, target }))),
    })
    await done
    graph.zoomTo(0.4)
    await bench.drawn()
    return performance.now() - startedAt
  },
}
