/* ZIP archives (PKWARE APPNOTE 6.3.9): records for writing, and the directory of an archive that is read. */

/** A file to write. Its name is ASCII; sizes are bytes, below 4 GiB. */
export interface ZipMember {
  readonly name: string
  readonly method: 0 | 8
  readonly crc32: number
  readonly packedSize: number
  readonly size: number
  /** Offset of the local header from the start of the file. */
  readonly offset: number
  /** CRC and sizes follow the data, because they were not known before it (flag bit 3). */
  readonly hasDescriptor: boolean
}

const SIGNATURE = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  central: 0x02014b50,
  end: 0x06054b50,
} as const
export const METHOD = { stored: 0, deflated: 8 } as const
const FLAG_DESCRIPTOR = 0x0008

const VERSION = 20 // 2.0: deflate
const EPOCH_DATE = 0x21 // 1980-01-01: no creation time is revealed

type Field = readonly [bytes: 2 | 4, value: number]

function toRecord(fields: readonly Field[], name = ''): Uint8Array {
  const length = fields.reduce((sum, [bytes]) => sum + bytes, 0)
  const record = new Uint8Array(length + name.length)
  const view = new DataView(record.buffer)
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  for (let i = 0; i < name.length; i++) record[length + i] = name.charCodeAt(i)
  return record
}

const sharedFields = ({ method, hasDescriptor }: ZipMember): Field[] => [
  [2, VERSION],
  [2, hasDescriptor ? FLAG_DESCRIPTOR : 0],
  [2, method],
  [2, 0],
  [2, EPOCH_DATE],
]
const sizeFields = ({ crc32, packedSize, size }: Pick<ZipMember, 'crc32' | 'packedSize' | 'size'>): Field[] => [
  [4, crc32],
  [4, packedSize],
  [4, size],
]

export function localHeader(member: ZipMember): Uint8Array {
  const sizes = member.hasDescriptor ? { crc32: 0, packedSize: 0, size: 0 } : member
  const fields: Field[] = [[4, SIGNATURE.local], ...sharedFields(member), ...sizeFields(sizes)]
  return toRecord([...fields, [2, member.name.length], [2, 0]], member.name)
}

export const dataDescriptor = (member: ZipMember): Uint8Array =>
  toRecord([[4, SIGNATURE.descriptor], ...sizeFields(member)])

export function centralHeader(member: ZipMember): Uint8Array {
  const fields: Field[] = [[4, SIGNATURE.central], [2, VERSION], ...sharedFields(member), ...sizeFields(member)]
  const lengths: Field[] = [
    [2, member.name.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, member.offset],
  ]
  return toRecord([...fields, ...lengths], member.name)
}

export const endRecord = (count: number, directorySize: number, directoryOffset: number): Uint8Array =>
  toRecord([
    [4, SIGNATURE.end],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directorySize],
    [4, directoryOffset],
    [2, 0],
  ])

/** One file in a ZIP: its central directory entry, verified against its local header. */
export interface ZipEntry {
  readonly name: string
  readonly isDeflated: boolean
  readonly crc32: number
  readonly packedSize: number
  /** Declared size, to be compared with the unpacked bytes. */
  readonly size: number
  readonly dataOffset: number
}

const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
/** Sizes of a descriptor with and without signature, with 32-bit and 64-bit sizes. */
const DESCRIPTOR_BYTES: readonly number[] = [12, 16, 20, 24]
const FLAGS_KNOWN = 0x0806 | FLAG_DESCRIPTOR // deflate level, UTF-8 names, descriptor; not encryption

/**
 * Entries of a strict ZIP, or null. The file begins with its first entry and ends with its directory. Entries follow each
 * other without overlap or gap. Names are plain ASCII and unique, and both headers of each entry agree. No ZIP64,
 * encryption, comment or second disk. `entriesMax` is checked before anything is read.
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
  /** Offset of the next header in the directory. */
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

/** Some readers use the local headers, and must see the same files. */
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

/** True if entries fill the file up to its directory, with at most descriptors between them. */
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

/** Printable ASCII, or null. Programs differ in reading other characters. */
function asciiText(bytes: Uint8Array, from: number, length: number): string | null {
  if (length === 0 || from + length > bytes.length) return null
  const text = String.fromCharCode(...bytes.subarray(from, from + Math.min(length, 256)))
  return length <= 256 && /^[\x20-\x7e]+$/.test(text) ? text : null
}
