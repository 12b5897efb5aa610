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

/** DevTools protocol of the Worker whose target's address contains the text. */
export async function openInspector(url: URL, name = ''): Promise<Inspector> {
  const targets = await fetch(new URL('/json', url.href.replace('ws:', 'http:')))
  const all = (await targets.json()) as { webSocketDebuggerUrl: string }[]
  const target = all.find(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl.includes(name))
  if (!target) throw new Error(`workerd has no inspector of "${name}"`)
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  let lastId = 0
  const send = (method: string) =>
    new Promise<HeapUsage | undefined>((resolve) => {
      lastId++
      const id = lastId
      const take = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as { id?: number; result?: HeapUsage }
        if (message.id !== id) return
        socket.removeEventListener('message', take)
        resolve(message.result)
      }
      socket.addEventListener('message', take)
      socket.send(JSON.stringify({ id, method }))
    })
  /** Objects and the bytes of buffers. */
  const heapMiB = async (): Promise<number> => {
    await send('HeapProfiler.collectGarbage')
    const {
      usedSize = 0,
      embedderHeapUsedSize = 0,
      backingStorageSize = 0,
    } = (await send('Runtime.getHeapUsage')) ?? {}
    return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1024 / 1024
  }
  return {
    async peakHeapMiB(work) {
      let peak = 0
      let isOver = false
      const watch = async () => {
        while (!isOver) {
          peak = Math.max(peak, await heapMiB())
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
      const watching = watch()
      await work().finally(() => (isOver = true))
      await watching
      return peak
    },
    close: () => socket.close(),
  }
}
