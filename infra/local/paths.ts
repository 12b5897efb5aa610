import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Everything a local run keeps: databases, hubs, files, agents' keys. Another folder by NETLOOM_DATA (tests use their own). */
export const DATA = process.env['NETLOOM_DATA'] ?? join(ROOT, '.wrangler')

export const inRoot = (...parts: string[]): string => join(ROOT, ...parts)
export const inData = (...parts: string[]): string => join(DATA, ...parts)

/** Nobody else on this machine reads password hashes and codes. Of a folder that NETLOOM_DATA names, only what is made in it. */
export function prepareData(): void {
  mkdirSync(DATA, { recursive: true, mode: 0o700 })
  const own = process.env['NETLOOM_DATA'] === undefined ? [DATA] : []
  for (const folder of [...own, inData('state'), inData('agents'), inData('logs')]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  }
}
