import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { opened } from '../live-clients.ts'

/* Heap of the Worker's isolate, measured over the inspector of workerd. */

interface HeapUsage {
  readonly usedSize: number
  readonly embedderHeapUsedSize?: number
  readonly backingStorageSize?: number
}

const SAMPLE_MS = 20
/** Time to wait for a reply; workerd's inspector loses a message now and then, and that sample is left out. */
const REPLY_MS = 5_000

/** Largest live heap during `work`, in MiB: without a limit, workerd does not collect garbage soon. */
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

/** Objects and bytes of buffers after a garbage collection; 0 without a reply. */
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
