import { earliest } from '#contract/kernel/time.ts'
import { within } from '#db/concurrency.ts'
import { type MeterReply, noCounts } from '../prices.ts'

/* Counters of billed quantities in the metered Worker, and alarms in the time of the bench. */

/** One isolate runs the Worker and all hubs, so one set of counters sees everything. */
export const counts = { ...noCounts }
export const faultLines: string[] = []

const cursors = new Set<SqlStorageCursor<Record<string, SqlStorageValue>>>()
let pending = 0

/** A cursor knows its number of rows once it has been read, so the reply asks it. */
export function countCursor(cursor: SqlStorageCursor<Record<string, SqlStorageValue>>): void {
  cursors.add(cursor)
}

export async function whilePending<T>(run: () => Promise<T> | T): Promise<T> {
  pending += 1
  try {
    return await run()
  } finally {
    pending -= 1
  }
}

/** Counts so far, with rows that were read and written since the last reply. */
export function meterReply(timers: { readonly due: number; readonly nextAt: number | null }): MeterReply {
  for (const { rowsRead, rowsWritten } of cursors) {
    counts.hubRowsRead += rowsRead
    counts.hubRowsWritten += rowsWritten
  }
  cursors.clear()
  return { counts, pending: pending + timers.due, nextEventAt: earliest([dueAlarm()?.at ?? null, timers.nextAt]) }
}

/** Alarms fire in the bench's time, not in the platform's. */
interface Alarm {
  readonly at: number
  fire(): Promise<void>
}
const alarms = new Map<string, Alarm>()

export const alarmOf = (hub: string): number | null => alarms.get(hub)?.at ?? null

export function setAlarm(hub: string, alarm: Alarm): void {
  counts.hubRowsWritten += 1
  alarms.set(hub, alarm)
}

export function deleteAlarm(hub: string): void {
  if (alarms.delete(hub)) counts.hubRowsWritten += 1
}

/** Wait in real time for an alarm; one that waits for the bench's clock goes on as pending work. */
const ALARM_MS = 90

export async function fireDueAlarms(now: number, waitUntil: (work: Promise<unknown>) => void): Promise<void> {
  for (let due = dueAlarm(); due !== null && due.at <= now; due = dueAlarm()) {
    const { hub, fire } = due
    alarms.delete(hub)
    counts.hubRequests += 1
    const fired = whilePending(fire).catch((error: unknown) => console.error(hub, error))
    waitUntil(fired)
    await within(ALARM_MS, fired).catch(() => {})
  }
}

function dueAlarm(): (Alarm & { hub: string }) | null {
  const [first] = [...alarms].toSorted(([, a], [, b]) => a.at - b.at)
  return first ? { hub: first[0], at: first[1].at, fire: () => first[1].fire() } : null
}
