import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Everything a local run keeps: databases, hubs, files, agents' keys. Another folder by NETLOOM_DATA (tests use their own). */
export const DATA = process.env['NETLOOM_DATA'] ?? join(ROOT, '.wrangler')

export const inRoot = (...parts: string[]): string => join(ROOT, ...parts)
export const inData = (...parts: string[]): string => join(DATA, ...parts)
