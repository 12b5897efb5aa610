import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { inData } from './paths.ts'

/* Lock file of the data folder: exits with a message if another process uses the same folder. */

const FILE = 'running.json'
const ANSWER_MS = 2_000

interface Running {
  readonly url: string
  readonly pid: number
}

export const writeRunLock = (url: string): void =>
  writeFileSync(inData(FILE), JSON.stringify({ url, pid: process.pid } satisfies Running))

export const removeRunLock = (): void => rmSync(inData(FILE), { force: true })

export async function requireRunLock(): Promise<void> {
  const other = await otherRun()
  if (!other) return
  process.stderr.write(`Netloom is running on this data already: ${other.url} (process ${other.pid}). Stop it first.\n`)
  process.exit(1)
}

/** Other run of the lock; null if its process is gone. */
async function otherRun(): Promise<Running | null> {
  try {
    const other = JSON.parse(readFileSync(inData(FILE), 'utf8')) as Running
    process.kill(other.pid, 0)
    await fetch(other.url, { signal: AbortSignal.timeout(ANSWER_MS) })
    return other
  } catch {
    return null
  }
}
