import { type Counts, type MeterReply, noCounts } from '../prices.ts'

/** One isolate runs the Worker and all hubs, so one set of counters sees everything. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] }
export const counts: Mutable<Counts> = { ...noCounts }

const cursors = new Set<SqlStorageCursor<Record<string, SqlStorageValue>>>()
const names = new Map<string, string>()
const work = { pending: 0, isWaking: false }

export function countRead(rows: number): void {
  counts.hubRowsRead += rows
  if (work.isWaking) counts.wakeRowsRead += rows
}

/** A cursor knows its rows once it has been read, so it is asked when the counters are. */
export function countCursor(cursor: SqlStorageCursor<Record<string, SqlStorageValue>>): void {
  cursors.add(cursor)
}

function addCursors(): void {
  for (const { rowsRead, rowsWritten } of cursors) {
    countRead(rowsRead)
    counts.hubRowsWritten += rowsWritten
  }
  cursors.clear()
}

/** A hub's constructor begins: the rows that it reads are the cost of each wake-up after hibernation. */
export function startWake(namespace: string, hub: string): void {
  addCursors()
  names.set(hub, namespace)
  counts.wakes += 1
  work.isWaking = true
}

export function endWake(): void {
  addCursors()
  work.isWaking = false
}

/** Hubs that have been awake. */
export const hubNames = (namespace: string): string[] =>
  [...names].filter(([, of]) => of === namespace).map(([name]) => name)

export async function whilePending<T>(run: () => Promise<T> | T): Promise<T> {
  work.pending += 1
  try {
    return await run()
  } finally {
    work.pending -= 1
  }
}

export function meterReply(): MeterReply {
  addCursors()
  return { counts, pending: work.pending, nextAlarmAt: dueAlarm()?.at ?? null }
}

/** Alarms fire in the bench's time, not in the platform's. */
interface Alarm {
  readonly at: number
  fire(): Promise<void>
}
const alarms = new Map<string, Alarm>()

export const alarmOf = (hub: string): number | null => alarms.get(hub)?.at ?? null

export function setAlarm(hub: string, alarm: Alarm): void {
  counts.alarmsSet += 1
  counts.hubRowsWritten += 1
  alarms.set(hub, alarm)
}

export function deleteAlarm(hub: string): void {
  if (alarms.delete(hub)) counts.hubRowsWritten += 1
}

export async function fireDueAlarms(now: number): Promise<void> {
  for (let due = dueAlarm(); due !== null && due.at <= now; due = dueAlarm()) {
    alarms.delete(due.hub)
    counts.hubRequests += 1
    await due.fire()
  }
}

function dueAlarm(): (Alarm & { hub: string }) | null {
  const [first] = [...alarms].toSorted(([, a], [, b]) => a.at - b.at)
  return first ? { hub: first[0], at: first[1].at, fire: () => first[1].fire() } : null
}
