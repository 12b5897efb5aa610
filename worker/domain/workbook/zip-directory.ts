import { FLAG_DESCRIPTOR, SIGNATURE } from './zip.ts'

/* Directory of a ZIP archive that is read (PKWARE APPNOTE 6.3.9). */

/** One file in a ZIP: its central directory entry, verified against its local header. */
export interface ZipEntry {
  /** One character for each byte, because the encoding of a name is not certain. */
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc32: number
  readonly packedSize: number
  /** Declared size, to be compared with the unpacked bytes. */
  readonly size: number
  readonly dataOffset: number
}

const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
const END64_BYTES = 56
const LOCATOR64_BYTES = 20
const COMMENT_MAX = 0xffff
/** Sizes of a descriptor with and without signature, with 32-bit and 64-bit sizes. */
const DESCRIPTOR_BYTES: readonly number[] = [12, 16, 20, 24]
const FLAG_ENCRYPTED = 0x0001
const FLAGS_COMPARED = FLAG_ENCRYPTED | FLAG_DESCRIPTOR
const EXTRA_ZIP64 = 0x0001
const IN_EXTRA = { short: 0xffff, long: 0xffffffff } as const
const LESS_THAN = 0x3c

interface Archive {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/**
 * Entries of a ZIP, or null. The file begins with its first entry and ends with its directory and a comment without
 * markup. Entries follow each other without overlap or gap, and both headers of each entry agree. One disk only.
 */
export function parseZipDirectory(bytes: Uint8Array): readonly ZipEntry[] | null {
  const archive = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
  const directory = findDirectory(archive)
  if (directory === null || directory.count === 0) return null
  const found: Located[] = []
  let at = directory.offset
  for (let i = 0; i < directory.count; i++) {
    const entry = parseCentralHeader(archive, at, directory.end)
    if (!entry) return null
    found.push(entry)
    at = entry.nextOffset
  }
  return at === directory.end && areContiguous(found, archive.view, directory.offset) ? found : null
}

interface Directory {
  readonly count: number
  readonly offset: number
  /** Offset behind the last header. */
  readonly end: number
}

function findDirectory({ bytes, view }: Archive): Directory | null {
  const at = findEndRecord(bytes, view)
  if (at === null || bytes.indexOf(LESS_THAN, at + END_BYTES) !== -1) return null
  const count = view.getUint16(at + 10, true)
  const [size, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)]
  if (view.getUint32(at + 4, true) !== 0 || view.getUint16(at + 8, true) !== count) return null
  const large = findEnd64Record(view, at)
  if (large === undefined) return offset + size === at ? { count, offset, end: at } : null
  const isSame =
    large !== null &&
    [IN_EXTRA.short, large.count].includes(count) &&
    [IN_EXTRA.long, large.end - large.offset].includes(size) &&
    [IN_EXTRA.long, large.offset].includes(offset)
  return isSame ? large : null
}

/** Offset of the last end record, whose comment must end the file. */
function findEndRecord(bytes: Uint8Array, view: DataView): number | null {
  const last = bytes.length - END_BYTES
  for (let at = last; at >= 0 && at >= last - COMMENT_MAX; at--) {
    if (view.getUint32(at, true) === SIGNATURE.end) return at + view.getUint16(at + 20, true) === last ? at : null
  }
  return null
}

/** Directory of the ZIP64 records before the end record; null for broken ones, undefined for none. */
function findEnd64Record(view: DataView, end: number): Directory | null | undefined {
  const locator = end - LOCATOR64_BYTES
  if (locator < 0 || view.getUint32(locator, true) !== SIGNATURE.locator64) return undefined
  const at = locator - END64_BYTES
  const isWhole =
    at >= 0 &&
    view.getUint32(at, true) === SIGNATURE.end64 &&
    uint64(view, at + 4) === END64_BYTES - 12 &&
    uint64(view, at + 16) === 0 && // both disk numbers
    view.getUint32(locator + 4, true) === 0 &&
    uint64(view, locator + 8) === at &&
    view.getUint32(locator + 16, true) <= 1
  if (!isWhole) return null
  const [count, size, offset] = [uint64(view, at + 32), uint64(view, at + 40), uint64(view, at + 48)]
  return uint64(view, at + 24) === count && offset + size === at ? { count, offset, end: at } : null
}

/** Exact below 2^53, and far beyond any file above. */
const uint64 = (view: DataView, at: number): number => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32

interface Located extends ZipEntry {
  readonly headerOffset: number
  readonly hasDescriptor: boolean
  /** Offset of the next header in the directory. */
  readonly nextOffset: number
}

function parseCentralHeader(archive: Archive, at: number, end: number): Located | null {
  const { bytes, view } = archive
  if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== SIGNATURE.central) return null
  const flags = view.getUint16(at + 8, true)
  const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
  const extraAt = at + CENTRAL_BYTES + nameLength
  const nextOffset = extraAt + extraLength + view.getUint16(at + 32, true)
  if (nameLength === 0 || nextOffset > end) return null
  const [size = 0, packedSize = 0, headerOffset = 0] = withZip64(
    view,
    [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)],
    [extraAt, extraAt + extraLength],
  )
  if (headerOffset + LOCAL_BYTES > end) return null
  const localBytes = LOCAL_BYTES + view.getUint16(headerOffset + 26, true) + view.getUint16(headerOffset + 28, true)
  const entry = {
    name: latin1(bytes, at + CENTRAL_BYTES, nameLength),
    method: view.getUint16(at + 10, true),
    isEncrypted: (flags & FLAG_ENCRYPTED) !== 0,
    crc32: view.getUint32(at + 16, true),
    packedSize,
    size,
    dataOffset: headerOffset + localBytes,
    headerOffset,
    hasDescriptor: (flags & FLAG_DESCRIPTOR) !== 0,
    nextOffset,
  }
  return entry.dataOffset + packedSize <= end && matchesLocalHeader(entry, flags, archive) ? entry : null
}

/** Values of a header; those of all ones stand in its ZIP64 field, in the same order. */
function withZip64(view: DataView, values: readonly number[], [from, to]: readonly [number, number]): number[] {
  let [at, left] = [0, 0]
  for (let field = from; field + 4 <= to;) {
    const bytes = view.getUint16(field + 2, true)
    if (view.getUint16(field, true) === EXTRA_ZIP64 && field + 4 + bytes <= to) [at, left] = [field + 4, bytes]
    field += 4 + bytes
  }
  return values.map((value) => {
    if (value !== IN_EXTRA.long || left < 8) return value
    const large = uint64(view, at)
    at += 8
    left -= 8
    return large
  })
}

/** Some readers use the local headers, and must see the same files. */
function matchesLocalHeader(entry: Located, flags: number, { bytes, view }: Archive): boolean {
  const { headerOffset: at, method, name, crc32, packedSize, size, hasDescriptor, dataOffset } = entry
  if (view.getUint32(at, true) !== SIGNATURE.local || dataOffset > bytes.length) return false
  const nameLength = view.getUint16(at + 26, true)
  const sizes = [view.getUint32(at + 22, true), view.getUint32(at + 18, true)]
  const [localSize, localPackedSize] = withZip64(view, sizes, [at + LOCAL_BYTES + nameLength, dataOffset])
  return (
    ((view.getUint16(at + 6, true) ^ flags) & FLAGS_COMPARED) === 0 &&
    view.getUint16(at + 8, true) === method &&
    latin1(bytes, at + LOCAL_BYTES, nameLength) === name &&
    (hasDescriptor || (view.getUint32(at + 14, true) === crc32 && localPackedSize === packedSize && localSize === size))
  )
}

/** True if entries fill the file up to its directory, with at most descriptors between them. */
function areContiguous(entries: readonly Located[], view: DataView, directoryOffset: number): boolean {
  const sorted = entries.toSorted((a, b) => a.headerOffset - b.headerOffset)
  return (
    sorted[0]?.headerOffset === 0 &&
    sorted.every(({ dataOffset, packedSize, hasDescriptor, crc32 }, i) => {
      const dataEnd = dataOffset + packedSize
      const gap = (sorted[i + 1]?.headerOffset ?? directoryOffset) - dataEnd
      if (!hasDescriptor) return gap === 0
      if (!DESCRIPTOR_BYTES.includes(gap)) return false
      const isSigned = view.getUint32(dataEnd, true) === SIGNATURE.descriptor
      return view.getUint32(dataEnd + (isSigned ? 4 : 0), true) === crc32
    })
  )
}

function latin1(bytes: Uint8Array, from: number, length: number): string {
  let text = ''
  for (const byte of bytes.subarray(from, from + length)) text += String.fromCharCode(byte)
  return text
}
