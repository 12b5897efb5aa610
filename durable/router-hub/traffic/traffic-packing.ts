import type { Probes } from './link-probes.ts'
import { type Counter, type Reading, isLinkName } from './traffic-reading.ts'
import type { Hours, HourSlots, Slot, Bucket, Buckets } from './traffic-slots.ts'

/* Binary packing of stored traffic: rows of hours and days, and the packer of LEB128 numbers and texts. */

/**
 * Packs an hour as LEB128 numbers: a tenth of its JSON, because storage is priced by the byte. Behind the slots the row of
 * the newest hour has the reading up to which volumes are stored, and that the starts of its links' counters. Probes of
 * links come last, behind a mark where there is no reading.
 */
export function packHour(slots: HourSlots, reading: Reading | null = null): Uint8Array {
  const to = new Packer()
  to.putLists(slots, ({ minute, span, rx, tx }) => [minute, span, rx, tx])
  const probes = probesOf(slots, ({ minute }) => minute)
  const stored = reading?.bootId === NO_READING ? null : reading
  if (stored) putReading(to, stored)
  else if (probes) to.putText(NO_READING)
  if (probes) to.putLists(probes, (numbers) => numbers)
  return to.packed()
}

/** Stands in place of a boot id where a row has probes and no reading. */
const NO_READING = '\0'

function putReading(to: Packer, { bootId, atMs, counters }: Reading): void {
  to.putText(bootId)
  to.putFloat(atMs)
  to.putAll(counters, ({ rx, tx }) => [rx, tx].forEach((value) => to.putFloat(value)))
  for (const name of linkNames(counters)) to.putFloat(counters[name]?.beganMs ?? 0)
}

type ProbeNumbers = readonly [at: number, asked: number, lost: number, rtt: number, rttMax: number]

/** Probes of slots or buckets with their places, by name; null if there are none. */
function probesOf<T extends { readonly probes?: Probes }>(
  lists: Readonly<Record<string, readonly T[]>>,
  placeOf: (item: T) => number,
): Readonly<Record<string, readonly ProbeNumbers[]>> | null {
  const found = Object.entries(lists).flatMap(([name, list]) => {
    const numbers = list.flatMap((item): ProbeNumbers[] => {
      if (!item.probes) return []
      const { asked, lost, rtt, rttMax } = item.probes
      return [[placeOf(item), asked, lost, rtt, rttMax]]
    })
    return numbers.length === 0 ? [] : [[name, numbers] as const]
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}

/** Adds the probes that end a row, if it has any, to the slots or buckets at their places. */
function takeProbes<T extends { readonly probes?: Probes }>(
  from: Unpacker,
  lists: Record<string, T[]>,
  placeOf: (item: T) => number,
): Record<string, T[]> {
  if (from.isAtEnd()) return lists
  const take = () => from.take()
  const taken = from.takeLists(() => ({
    at: take(),
    probes: { asked: take(), lost: take(), rtt: take(), rttMax: take() },
  }))
  for (const [name, list] of Object.entries(taken)) {
    const byPlace = new Map(list.map(({ at, probes }) => [at, probes]))
    lists[name] = (lists[name] ?? []).map((item) => {
      const probes = byPlace.get(placeOf(item))
      return probes ? { ...item, probes } : item
    })
  }
  return lists
}

/** Rows of an older release end after the slots; their reading is stored under a key of its own. */
export function unpackHour(bytes: Uint8Array): { slots: HourSlots; reading: Reading | null } {
  const from = new Unpacker(bytes)
  const take = () => from.take()
  const slots = from.takeLists((): Slot => ({ minute: take(), span: take(), rx: take(), tx: take() }))
  if (from.isAtEnd()) return { slots, reading: null }
  const bootId = from.takeText()
  const reading = bootId === NO_READING ? null : takeReading(from, bootId)
  return { slots: takeProbes(from, slots, ({ minute }) => minute), reading }
}

function takeReading(from: Unpacker, bootId: string): Reading {
  const atMs = from.takeFloat()
  const counters = from.takeAll((): Counter => ({ rx: from.takeFloat(), tx: from.takeFloat() }))
  for (const name of linkNames(counters)) {
    const beganMs = from.takeFloat()
    counters[name] = { rx: 0, tx: 0, ...counters[name], beganMs }
  }
  return { bootId, atMs, counters }
}

const linkNames = (counters: Reading['counters']): string[] => Object.keys(counters).filter(isLinkName)

/** Hours that fit into the attachment of a socket: packed, with the positions of their names in the reading as names. */
export type PackedHours = Readonly<Record<number, Uint8Array>>

export function packHours(hours: Hours, { counters }: Reading): PackedHours {
  const positions = new Map(Object.keys(counters).map((name, position) => [name, String(position)]))
  return mapValues(hours, (slots) => packHour(renamed(slots, (name) => positions.get(name))))
}

export function unpackHours(packed: PackedHours, { counters }: Reading): Hours {
  const names = Object.keys(counters)
  return mapValues(packed, (bytes) => renamed(unpackHour(bytes).slots, (position) => names[Number(position)]))
}

const mapValues = <From, To>(values: Readonly<Record<number, From>>, to: (value: From) => To): Record<number, To> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, to(value)]))

/** Names without a new one are left out: pending hours have the names of their reading and no others. */
const renamed = (slots: HourSlots, nameOf: (name: string) => string | undefined): HourSlots =>
  Object.fromEntries(
    Object.entries(slots).flatMap(([name, list]) => {
      const other = nameOf(name)
      return other === undefined ? [] : [[other, list]]
    }),
  )

export function packDay(buckets: Buckets): Uint8Array {
  const to = new Packer()
  to.putLists(buckets, ({ hour, minutes, rx, tx, rxPeak, txPeak }) => [hour, minutes, rx, tx, rxPeak, txPeak])
  const probes = probesOf(buckets, ({ hour }) => hour)
  if (probes) to.putLists(probes, (numbers) => numbers)
  return to.packed()
}

export function unpackDay(bytes: Uint8Array): Buckets {
  const from = new Unpacker(bytes)
  const take = () => from.take()
  const buckets = from.takeLists((): Bucket => ({
    hour: take(),
    minutes: take(),
    rx: take(),
    tx: take(),
    rxPeak: take(),
    txPeak: take(),
  }))
  return takeProbes(from, buckets, ({ hour }) => hour)
}

export class Packer {
  private readonly bytes: number[] = []

  packed(): Uint8Array {
    return Uint8Array.from(this.bytes)
  }

  /** Writes a whole number in LEB128. */
  put(value: number): void {
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) this.bytes.push((rest % 128) + 128)
    this.bytes.push(rest)
  }

  /** Writes a number as a float64: a device may send any number. */
  putFloat(value: number): void {
    this.bytes.push(...new Uint8Array(Float64Array.of(value).buffer))
  }

  putText(value: string): void {
    const text = new TextEncoder().encode(value)
    this.put(text.length)
    this.bytes.push(...text)
  }

  putAll<T>(entries: Readonly<Record<string, T>>, putEntry: (entry: T) => void): void {
    this.put(Object.keys(entries).length)
    for (const [name, entry] of Object.entries(entries)) {
      this.putText(name)
      putEntry(entry)
    }
  }

  putLists<T>(lists: Readonly<Record<string, readonly T[]>>, toNumbers: (item: T) => readonly number[]): void {
    this.putAll(lists, (list) => {
      this.put(list.length)
      for (const item of list) toNumbers(item).forEach((value) => this.put(value))
    })
  }
}

const decoder = new TextDecoder()
const CUT_SHORT = 'series: a row is cut short'

export class Unpacker {
  private at = 0
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  isAtEnd(): boolean {
    return this.at === this.bytes.length
  }

  take(): number {
    const { bytes } = this
    let value = 0
    for (let unit = 1; this.at < bytes.length; unit *= 128) {
      const byte = bytes[this.at++] ?? 0
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
    throw new Error(CUT_SHORT)
  }

  takeFloat(): number {
    return new Float64Array(this.takeBytes(8).slice().buffer)[0] ?? 0
  }

  takeText(): string {
    return decoder.decode(this.takeBytes(this.take()))
  }

  takeAll<T>(takeEntry: () => T): Record<string, T> {
    return Object.fromEntries(Array.from({ length: this.take() }, () => [this.takeText(), takeEntry()]))
  }

  takeLists<T>(takeItem: () => T): Record<string, T[]> {
    return this.takeAll(() => Array.from({ length: this.take() }, takeItem))
  }

  private takeBytes(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new Error(CUT_SHORT)
    return this.bytes.subarray(this.at, (this.at += length))
  }
}
