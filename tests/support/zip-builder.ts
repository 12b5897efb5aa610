import { crc32, deflateRawSync } from 'node:zlib'

/** An entry with the header fields to forge. */
export interface ForgedEntry {
  readonly name: string
  readonly data: string | Uint8Array
  readonly stored?: boolean
  readonly size?: number
  readonly packedSize?: number
  readonly crc?: number
  readonly flags?: number
  readonly method?: number
  readonly localName?: string
  /** Points the directory at another entry's header. */
  readonly sameAs?: number
  /** Bytes between this entry and the next. */
  readonly gap?: number
  /** CRC and sizes behind the data, in 32 or 64 bits, with or without a signature. */
  readonly descriptor?: 'short' | 'unsigned' | 'long'
  /** Sizes and offset in the ZIP64 field of the headers. */
  readonly zip64?: boolean
}

interface Forgery {
  readonly prefix?: string
  readonly comment?: string
  readonly count?: number
  readonly directoryShift?: number
  /** ZIP64 end record and its locator; the end record itself refers to them. */
  readonly zip64?: boolean
}

/** Builds a ZIP byte by byte, with forged headers where given. */
export function forgeZip(
  entries: readonly ForgedEntry[],
  { prefix = '', comment = '', ...over }: Forgery = {},
): Uint8Array {
  const chunks: Buffer[] = [Buffer.from(prefix)]
  let offset = prefix.length
  const push = (...added: Buffer[]) => {
    for (const chunk of added) {
      chunks.push(chunk)
      offset += chunk.length
    }
  }
  const written = entries.map((entry) => {
    const packed = toPacked(entry)
    const at = offset
    if (entry.sameAs === undefined) push(...localRecord(entry, packed), Buffer.alloc(entry.gap ?? 0))
    return { ...packed, entry, at }
  })
  const directoryAt = offset
  for (const { entry, at, ...packed } of written) {
    const target = written[entry.sameAs ?? -1]?.at ?? at
    push(...centralRecord(entry, packed, target))
  }
  const directory = { count: over.count ?? entries.length, size: offset - directoryAt }
  const shifted = directoryAt + (over.directoryShift ?? 0)
  if (over.zip64) push(...end64(directory.count, directory.size, shifted, offset))
  const ends = over.zip64
    ? [uint16(0xffff), uint16(0xffff), uint32(MASK), uint32(MASK)]
    : [uint16(directory.count), uint16(directory.count), uint32(directory.size), uint32(shifted)]
  push(uint32(0x06054b50), Buffer.alloc(4), ...ends, uint16(comment.length), Buffer.from(comment, 'latin1'))
  return new Uint8Array(Buffer.concat(chunks))
}

const MASK = 0xffffffff

interface Packed {
  readonly bytes: Buffer
  readonly crc: number
  readonly packedSize: number
  readonly size: number
}

function toPacked({ data: content, stored, crc, packedSize, size }: ForgedEntry): Packed {
  const data = Buffer.from(content)
  const bytes = stored ? data : deflateRawSync(data)
  return { bytes, crc: crc ?? crc32(data), packedSize: packedSize ?? bytes.length, size: size ?? data.length }
}

/** Version, flags, method and time of an entry. */
const startOf = ({ zip64, flags = 0, descriptor, method, stored }: ForgedEntry): Buffer =>
  Buffer.concat([
    uint16(zip64 ? 45 : 20),
    uint16(flags | (descriptor ? 8 : 0)),
    uint16(method ?? (stored ? 0 : 8)),
    Buffer.alloc(4),
  ])
const sizesOf = ({ zip64 }: ForgedEntry, { packedSize, size }: Packed): Buffer[] =>
  zip64 ? [uint32(MASK), uint32(MASK)] : [uint32(packedSize), uint32(size)]
const zip64Field = ({ zip64 }: ForgedEntry, values: readonly number[]): Buffer =>
  zip64 ? Buffer.concat([uint16(1), uint16(8 * values.length), ...values.map(uint64)]) : Buffer.alloc(0)

function localRecord(entry: ForgedEntry, packed: Packed): Buffer[] {
  const name = nameBytes(entry.localName ?? entry.name)
  const field = entry.descriptor ? Buffer.alloc(0) : zip64Field(entry, [packed.size, packed.packedSize])
  return [
    uint32(0x04034b50),
    startOf(entry),
    ...(entry.descriptor ? [Buffer.alloc(12)] : [uint32(packed.crc), ...sizesOf(entry, packed)]),
    uint16(name.length),
    uint16(field.length),
    name,
    field,
    packed.bytes,
    ...descriptorOf(entry, packed),
  ]
}

function descriptorOf({ descriptor }: ForgedEntry, { crc, packedSize, size }: Packed): Buffer[] {
  if (descriptor === undefined) return []
  const sizes = [packedSize, size].map(descriptor === 'long' ? uint64 : uint32)
  return [...(descriptor === 'unsigned' ? [] : [uint32(0x08074b50)]), uint32(crc), ...sizes]
}

function centralRecord(entry: ForgedEntry, packed: Packed, at: number): Buffer[] {
  const name = nameBytes(entry.name)
  const field = zip64Field(entry, [packed.size, packed.packedSize, at])
  return [
    uint32(0x02014b50),
    Buffer.from([20, 0]),
    startOf(entry),
    uint32(packed.crc),
    ...sizesOf(entry, packed),
    uint16(name.length),
    uint16(field.length),
    Buffer.alloc(10),
    uint32(entry.zip64 ? MASK : at),
    name,
    field,
  ]
}

const end64 = (count: number, size: number, directoryAt: number, at: number): Buffer[] => [
  uint32(0x06064b50),
  uint64(44),
  uint16(45),
  uint16(45),
  Buffer.alloc(8),
  ...[count, count, size, directoryAt].map(uint64),
  uint32(0x07064b50),
  uint32(0),
  uint64(at),
  uint32(1),
]

/** One byte a character, or UTF-8 for a name that needs more. */
const nameBytes = (name: string): Buffer => Buffer.from(name, /[^\0-\xff]/.test(name) ? 'utf8' : 'latin1')

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const uint64 = (value: number): Buffer => Buffer.concat([uint32(value % 2 ** 32), uint32(Math.floor(value / 2 ** 32))])

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const sheetXml = (rows: string) => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`
const ROW = '<row r="1"><c r="A1" t="inlineStr"><is><t>姓名</t></is></c></row>'

/** The five parts of the smallest workbook, the sheet last. */
export const workbookEntries = (sheet: Partial<ForgedEntry> = {}): ForgedEntry[] => [
  {
    name: '[Content_Types].xml',
    data: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  },
  {
    name: '_rels/.rels',
    data: `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  },
  {
    name: 'xl/workbook.xml',
    data: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    data: `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  },
  { name: 'xl/worksheets/sheet1.xml', data: sheetXml(ROW), ...sheet },
]
