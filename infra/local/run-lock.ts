import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATA, inData } from './paths.ts'
import { stop } from './processes.ts'

/* Lock file of the data folder: its one run, with the address that it serves. */

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
  if (other) stop(`Netloom is running on this data already: ${other.url} (process ${other.pid}). Stop it first.`)
}

/** Address of the product that a command works on: NETLOOM_URL, or the run of this folder; ends the command without it. */
export function runningUrl(): string {
  if (process.env['NETLOOM_URL']) return process.env['NETLOOM_URL']
  if (!existsSync(inData(FILE))) stop('Nothing runs here: start it with `npm start`, or set NETLOOM_URL.')
  return readRunLock(DATA).url
}

export const readRunLock = (data: string): Running => JSON.parse(readFileSync(join(data, FILE), 'utf8')) as Running

/** Other run of the lock; null if its process is gone. */
async function otherRun(): Promise<Running | null> {
  try {
    const other = readRunLock(DATA)
    process.kill(other.pid, 0)
    await fetch(other.url, { signal: AbortSignal.timeout(ANSWER_MS) })
    return other
  } catch {
    return null
  }
}
