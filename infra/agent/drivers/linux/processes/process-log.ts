import { open, stat } from 'node:fs/promises'

/* Log files of processes, which append to them. */

const LOG_MAX = 1_048_576
const KEPT_BYTES = 65_536
const TAIL_BYTES = 1_024

/** Last whole lines of a log, 1 KB at most; empty if it cannot be read. */
export async function readLastLines(path: string | null): Promise<string> {
  const text = path === null ? '' : await readEnd(path, TAIL_BYTES).catch(() => '')
  return text.trimEnd()
}

/**
 * Shortens a log above 1 MiB to its end; the process goes on appending. The end is written over the beginning before the
 * rest is cut off, so that a crash of the agent keeps it, and new lines follow it; one that comes during the cut may be lost.
 */
export async function cutLog(path: string): Promise<void> {
  const { size } = await stat(path)
  if (size <= LOG_MAX) return
  const kept = Buffer.from(await readEnd(path, KEPT_BYTES))
  const file = await open(path, 'r+')
  try {
    await file.write(kept, 0, kept.length, 0)
    await file.truncate(kept.length)
  } finally {
    await file.close()
  }
}

async function readEnd(path: string, bytes: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - bytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    const text = buffer.subarray(0, bytesRead).toString('utf8')
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await file.close()
  }
}
