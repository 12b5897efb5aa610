import { FLAG_DESCRIPTOR, METHOD, SIGNATURE } from './zip-record.ts'

/** One file in a ZIP: its central directory entry, verified against its local header. */
export interface ZipEntry {
  readonly name: string
  readonly isDeflated: boolean
  readonly crc32: number
  readonly packedSize: number
  /** Declared: what comes out has to be held against it. */
  readonly size: number
  readonly dataOffset: number
}

const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
/** With and without signature, with 32-bit and 64-bit sizes. */
const DESCRIPTOR_BYTES: readonly number[] = [12, 16, 20, 24]
const FLAGS_KNOWN = 0x0806 | FLAG_DESCRIPTOR // deflate level, UTF-8 names, descriptor; not encryption

/**
 * The entries of a ZIP that is nothing but one, or null: the file begins with its first entry and ends with its directory,
 * entries follow each other without overlap or gap, names are plain ASCII and unique, both headers of each agree. No
 * ZIP64, encryption, comment or second disk. `entriesMax` is checked before anything is read.
 */
export function parseZipDirectory(bytes: Uint8Array, entriesMax: number): readonly ZipEntry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length - END_BYTES
  if (end < 0 || view.getUint32(end, true) !== SIGNATURE.end) return null
  const count = view.getUint16(end + 10, true)
  const [directorySize, directoryOffset] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)]
  const isOneDisk = view.getUint32(end + 4, true) === 0 && view.getUint16(end + 8, true) === count
  const hasNoComment = view.getUint16(end + 20, true) === 0
  if (!isOneDisk || !hasNoComment || count === 0 || count > entriesMax) return null
  if (directoryOffset + directorySize !== end) return null

  const found: Located[] = []
  let at = directoryOffset
  for (let i = 0; i < count; i++) {
    const entry = parseCentralHeader(bytes, view, at, end)
    if (!entry) return null
    found.push(entry)
    at = entry.nextOffset
  }
  const names = new Set(found.map(({ name }) => name.toLowerCase()))
  if (at !== end || names.size < count) return null
  return areContiguous(found, view, directoryOffset) ? found : null
}

interface Located extends ZipEntry {
  readonly headerOffset: number
  readonly flags: number
  /** Of the next header in the directory. */
  readonly nextOffset: number
}

function parseCentralHeader(bytes: Uint8Array, view: DataView, at: number, end: number): Located | null {
  if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== SIGNATURE.central) return null
  const flags = view.getUint16(at + 8, true)
  const method = view.getUint16(at + 10, true)
  const [crc32, packedSize, size] = [
    view.getUint32(at + 16, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 24, true),
  ]
  const nameLength = view.getUint16(at + 28, true)
  const nextOffset = at + CENTRAL_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  const headerOffset = view.getUint32(at + 42, true)
  const name = asciiText(bytes, at + CENTRAL_BYTES, nameLength)
  if (nextOffset > end || name === null || (flags & ~FLAGS_KNOWN) !== 0) return null
  if (method !== METHOD.deflated && !(method === METHOD.stored && packedSize === size)) return null
  if (headerOffset + LOCAL_BYTES > end) return null
  const localBytes = LOCAL_BYTES + view.getUint16(headerOffset + 26, true) + view.getUint16(headerOffset + 28, true)
  const dataOffset = headerOffset + localBytes
  if (dataOffset + packedSize > end) return null
  const isDeflated = method === METHOD.deflated
  const entry = { name, isDeflated, crc32, packedSize, size, dataOffset, headerOffset, flags, nextOffset }
  return matchesLocalHeader(entry, bytes, view) ? entry : null
}

/** Some readers go by the local headers: they must see the same files. */
function matchesLocalHeader(entry: Located, bytes: Uint8Array, view: DataView): boolean {
  const { headerOffset: at, flags, isDeflated, name, crc32, packedSize, size } = entry
  const hasDescriptor = (flags & FLAG_DESCRIPTOR) !== 0
  return (
    view.getUint32(at, true) === SIGNATURE.local &&
    view.getUint16(at + 6, true) === flags &&
    view.getUint16(at + 8, true) === (isDeflated ? METHOD.deflated : METHOD.stored) &&
    asciiText(bytes, at + LOCAL_BYTES, view.getUint16(at + 26, true)) === name &&
    (hasDescriptor || [crc32, packedSize, size].every((value, i) => view.getUint32(at + 14 + 4 * i, true) === value))
  )
}

/** From the first byte of the file to its directory, entry behind entry, with descriptors between them at most. */
function areContiguous(entries: readonly Located[], view: DataView, directoryOffset: number): boolean {
  const sorted = entries.toSorted((a, b) => a.headerOffset - b.headerOffset)
  return (
    sorted[0]?.headerOffset === 0 &&
    sorted.every(({ dataOffset, packedSize, flags, crc32 }, i) => {
      const dataEnd = dataOffset + packedSize
      const gap = (sorted[i + 1]?.headerOffset ?? directoryOffset) - dataEnd
      if ((flags & FLAG_DESCRIPTOR) === 0) return gap === 0
      if (!DESCRIPTOR_BYTES.includes(gap)) return false
      const isSigned = view.getUint32(dataEnd, true) === SIGNATURE.descriptor
      return view.getUint32(dataEnd + (isSigned ? 4 : 0), true) === crc32
    })
  )
}

/** Printable ASCII, or null. Case and characters beyond it are read differently by different programs. */
function asciiText(bytes: Uint8Array, from: number, length: number): string | null {
  if (length === 0 || from + length > bytes.length) return null
  const text = String.fromCharCode(...bytes.subarray(from, from + Math.min(length, 256)))
  return length <= 256 && /^[\x20-\x7e]+$/.test(text) ? text : null
}
