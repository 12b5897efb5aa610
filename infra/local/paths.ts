import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/* Paths of the repository and of the data folder of local runs. */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Data folder of local runs: databases, hubs, files, keys of agents. NETLOOM_DATA names another one, as tests do. */
export const DATA = process.env['NETLOOM_DATA'] ?? join(ROOT, '.wrangler')

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
