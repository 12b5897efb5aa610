import { inRoot } from '#infra/local/paths.ts'
import type { Bed } from '../bed/bed.ts'
import { poll } from '../poll.ts'

/* TCP between hosts, by a small program at either end. */

const PROGRAM = [process.execPath, inRoot('infra/lab/packets/tcp-end.ts')]
const READY_MS = 15_000

export interface Transfer {
  readonly bytes: number
  /** Longest time in which nothing arrived. */
  readonly longestMs: number
}

export interface Listener {
  stop(): Promise<void>
}

export async function startListener(bed: Bed, host: string, port: number): Promise<Listener> {
  const child = bed.start(host, [...PROGRAM, 'listen', String(port)], { output: 'pipe' })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await poll(
    `${host} listens on ${port}`,
    READY_MS,
    () => output,
    (text) => text.includes('ready'),
  )
  return {
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Sends bytes that repeat a marker, and returns what the listener says; null if there is no connection within 3 s. */
export async function sendBytes(
  bed: Bed,
  from: string,
  to: { readonly address: string; readonly port: number },
  bytes: number,
  marker: string,
  timeoutMs: number,
): Promise<Transfer | null> {
  const argv = [...PROGRAM, 'send', to.address, String(to.port), String(bytes), marker]
  const { code, output } = await bed.run(from, argv, { timeoutMs })
  return code === 0 ? (JSON.parse(output) as Transfer) : null
}
