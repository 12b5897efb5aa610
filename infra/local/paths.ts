import { chmodSync, existsSync, mkdirSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/* Paths of the repository, of the data folder of local runs and of temporary folders. */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Data folder of local runs: databases, hubs, files, keys of agents. NETLOOM_DATA names another one, as tests do. */
export const DATA = process.env['NETLOOM_DATA'] ?? join(ROOT, '.wrangler')

/** The agent as one file, which builds and starts of the product make. */
export const AGENT_BUNDLE = '.wrangler/build/agent.mjs'

export const inRoot = (...parts: string[]): string => join(ROOT, ...parts)
export const inData = (...parts: string[]): string => join(DATA, ...parts)

/** Creates the data folder, which others may not read, for its password hashes. A folder of NETLOOM_DATA keeps its mode. */
export function prepareData(): void {
  mkdirSync(DATA, { recursive: true, mode: 0o700 })
  const own = process.env['NETLOOM_DATA'] === undefined ? [DATA] : []
  for (const folder of [...own, inData('state'), inData('agents'), inData('logs')]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  }
}

const MEMORY_DISK = '/dev/shm'
const MEMORY_DISK_MIN_BYTES = 4 * 2 ** 30

/** Creates a folder for databases that sync after every write: in memory, where no slow disk delays them, if it has space. */
export function createTempFolder(prefix: string): string {
  const { bavail, bsize } = existsSync(MEMORY_DISK) ? statfsSync(MEMORY_DISK) : { bavail: 0, bsize: 0 }
  return mkdtempSync(join(bavail * bsize >= MEMORY_DISK_MIN_BYTES ? MEMORY_DISK : tmpdir(), prefix))
}
