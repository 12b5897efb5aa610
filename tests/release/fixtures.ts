import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DrillState } from './state.ts'

/* Fixtures of an earlier release: what its hubs and its database held, what it was called with, and what it said. */

export interface Origin {
  readonly commit: string
  readonly recordedAt: number
}

/** Fixture as a file each: hubs by class, rows of the database, calls, frames. */
export const FIXTURES = import.meta.dirname + '/fixtures'
const readFixture = <T>(name: string): T => JSON.parse(readText(name)) as T
const readText = (name: string): string => readFileSync(join(FIXTURES, `${name}.json`), 'utf8')

const readOrigin = (): Origin => readFixture('origin')

export const HUB_FIXTURES = ['router', 'network', 'account', 'directory'] as const

/** State of the earlier release, as if it had been written just now. */
export function readState(now: number): DrillState {
  const by = now - readOrigin().recordedAt
  const read = <T>(name: string): T => JSON.parse(shiftTimes(readText(name), by)) as T
  return {
    hubs: HUB_FIXTURES.flatMap((name) => read<DrillState['hubs']>(name)),
    rows: read<DrillState['rows']>('rows'),
    calls: read<DrillState['calls']>('calls'),
    ...read<Pick<DrillState, 'received' | 'sent'>>('frames'),
  }
}

/** Epoch milliseconds of 2023 to 2033, as numbers and within stored texts. */
const TIMES = /(?<![\w.-])(1[6-9]\d{11}|20\d{11})(?![\w.-])/g

const shiftTimes = (text: string, by: number): string => text.replaceAll(TIMES, (time) => String(Number(time) + by))
