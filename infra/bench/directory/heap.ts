import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { opened } from '../live-clients.ts'

interface HeapUsage {
  readonly usedSize: number
  readonly embedderHeapUsedSize?: number
  readonly backingStorageSize?: number
}

const SAMPLE_MS = 20
/** workerd's inspector loses a message now and then: the sample is left out. */
const REPLY_MS = 5_000

/** The largest heap of the Worker's isolate while this runs, in MiB, of what is alive: without a limit, workerd lets garbage lie. */
export async function peakHeapMiB(inspectorPort: number, work: () => Promise<unknown>): Promise<number> {
  const targets = await fetch(`http://127.0.0.1:${inspectorPort}/json`)
  const all = (await targets.json()) as { webSocketDebuggerUrl: string }[]
  const target = all.find(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl.includes('netloom'))
  if (!target) throw new Error('workerd has no inspector of the Worker')
  let [peak, isOver] = [0, false]
  const watch = async () => {
    while (!isOver || peak === 0) {
      peak = Math.max(peak, await readHeapMiB(target.webSocketDebuggerUrl))
      await sleep(SAMPLE_MS)
    }
  }
  const watching = watch()
  await work().finally(() => (isOver = true))
  await watching
  return peak
}

/** Objects and the bytes of buffers, after a collection of garbage; 0 where no reply came. */
async function readHeapMiB(url: string): Promise<number> {
  const socket = await opened(new WebSocket(url))
  const ask = (id: number, method: string) =>
    new Promise<unknown>((resolve) => {
      socket.on('message', (data) => {
        const reply = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown }
        if (reply.id === id) resolve(reply.result)
      })
      socket.send(JSON.stringify({ id, method }))
    })
  const read = async () => {
    await ask(1, 'HeapProfiler.collectGarbage')
    const usage = (await ask(2, 'Runtime.getHeapUsage')) as HeapUsage
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = usage
    return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1024 / 1024
  }
  return Promise.race([read(), sleep(REPLY_MS, 0, { ref: false })]).finally(() => socket.terminate())
}
