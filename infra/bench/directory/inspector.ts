interface HeapUsage {
  readonly usedSize: number
  readonly embedderHeapUsedSize?: number
  readonly backingStorageSize?: number
}

export interface Inspector {
  /** The largest heap while this runs, in MiB, of what is alive: without a limit, workerd lets garbage lie. */
  peakHeapMiB(work: () => Promise<unknown>): Promise<number>
  close(): void
}

const SAMPLE_MS = 20
/** workerd loses a message now and then, and its session answers nothing any more; another one does. */
const REPLY_MS = 5_000

/** DevTools protocol of the Worker whose target's address contains the text. */
export async function openInspector(url: URL, name = ''): Promise<Inspector> {
  const targets = await fetch(new URL('/json', url.href.replace('ws:', 'http:')))
  const all = (await targets.json()) as { webSocketDebuggerUrl: string }[]
  const target = all.find(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl.includes(name))
  if (!target) throw new Error(`workerd has no inspector of "${name}"`)
  const open = () => openSession(target.webSocketDebuggerUrl)
  let session = await open()
  /** Objects and the bytes of buffers; 0 where the session was lost. */
  const heapMiB = async (): Promise<number> => {
    const collected = await session.ask('HeapProfiler.collectGarbage')
    const usage = collected && (await session.ask('Runtime.getHeapUsage'))
    if (!usage) {
      session.close()
      session = await open()
      return 0
    }
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = usage as HeapUsage
    return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1024 / 1024
  }
  return {
    async peakHeapMiB(work) {
      let peak = 0
      let samples = 0
      let isOver = false
      const watch = async () => {
        while (!isOver || samples === 0) {
          const mib = await heapMiB()
          if (mib > 0) samples++
          peak = Math.max(peak, mib)
          await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
        }
      }
      const watching = watch()
      await work().finally(() => (isOver = true))
      await watching
      return peak
    },
    close: () => session.close(),
  }
}

async function openSession(url: string) {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  const waiting = new Map<number, (result: object | null) => void>()
  socket.addEventListener('message', ({ data }: MessageEvent) => {
    const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: object }
    if (id !== undefined) waiting.get(id)?.(result ?? null)
  })
  let lastId = 0
  return {
    /** The result, null where none came in time. */
    async ask(method: string): Promise<object | null> {
      lastId++
      const id = lastId
      const reply = new Promise<object | null>((resolve) => {
        const timer = setTimeout(resolve, REPLY_MS, null)
        waiting.set(id, (result) => {
          clearTimeout(timer)
          resolve(result)
        })
      })
      socket.send(JSON.stringify({ id, method }))
      return reply.finally(() => waiting.delete(id))
    },
    close: () => socket.close(),
  }
}
