import type { Counters } from '../../worker/contract/protocol.ts'
import type { HourSlots, Slot } from './traffic-store.ts'
import type { Reading } from './traffic.ts'

const CUT_SHORT = 'series: an hour is cut short'

/** What the body of an hour row holds. The row of the newest hour ends with the reading up to which volumes are stored. */
export interface HourRow {
  readonly slots: HourSlots
  readonly reading: Reading | null
}

/** Packs an hour as LEB128 numbers: a tenth of its JSON, because storage is priced by the byte. */
export function packHour(slots: HourSlots, reading: Reading | null = null): Uint8Array {
  const bytes: number[] = []
  const put = (value: number) => {
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  // The device may send any number.
  const putNumber = (value: number) => bytes.push(...new Uint8Array(Float64Array.of(value).buffer))
  const putText = (value: string) => {
    const text = new TextEncoder().encode(value)
    put(text.length)
    bytes.push(...text)
  }
  const putAll = <T>(entries: Readonly<Record<string, T>>, putEntry: (entry: T) => void) => {
    put(Object.keys(entries).length)
    for (const [name, entry] of Object.entries(entries)) {
      putText(name)
      putEntry(entry)
    }
  }
  putAll(slots, (list) => {
    put(list.length)
    for (const { minute, span, rx, tx } of list) [minute, span, rx, tx].forEach(put)
  })
  if (!reading) return Uint8Array.from(bytes)
  putText(reading.bootId)
  putNumber(reading.atMs)
  putAll(reading.counters, ({ rx, tx }) => [rx, tx].forEach(putNumber))
  return Uint8Array.from(bytes)
}

/** Rows of an older release end after the slots: their reading lies in a key of its own. */
export function unpackHour(bytes: Uint8Array): HourRow {
  let at = 0
  const take = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error(CUT_SHORT)
      value += (byte % 128) * unit
      if (byte < 128) return value
    }
  }
  const takeBytes = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error(CUT_SHORT)
    return bytes.slice(at, (at += length))
  }
  const takeNumber = (): number => new Float64Array(takeBytes(8).buffer)[0] ?? 0
  const takeText = (): string => new TextDecoder().decode(takeBytes(take()))
  const takeAll = <T>(takeEntry: () => T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: take() }, () => [takeText(), takeEntry()]))
  const takeSlot = (): Slot => ({ minute: take(), span: take(), rx: take(), tx: take() })
  const slots = takeAll(() => Array.from({ length: take() }, takeSlot))
  if (at === bytes.length) return { slots, reading: null }
  const bootId = takeText()
  const atMs = takeNumber()
  const counters: Counters = takeAll(() => ({ rx: takeNumber(), tx: takeNumber() }))
  return { slots, reading: { bootId, atMs, counters } }
}
