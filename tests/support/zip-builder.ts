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
}

interface Forgery {
  readonly prefix?: string
  readonly comment?: string
  readonly count?: number
  readonly directoryShift?: number
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
  const headers = entries.map((entry) => {
    const data = Buffer.from(entry.data)
    const packed = entry.stored ? data : deflateRawSync(data)
    const fields = Buffer.alloc(22)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(entry.flags ?? 0, 2)
    fields.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4)
    fields.writeUInt32LE(entry.crc ?? crc32(data), 10)
    fields.writeUInt32LE(entry.packedSize ?? packed.length, 14)
    fields.writeUInt32LE(entry.size ?? data.length, 18)
    const at = offset
    if (entry.sameAs === undefined)
      push(signature(0x04034b50), fields, lengths(entry.localName ?? entry.name), packed, Buffer.alloc(entry.gap ?? 0))
    return { name: entry.name, fields, at }
  })
  const directoryAt = offset
  for (const [i, { name, fields, at }] of headers.entries()) {
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(headers[entries[i]?.sameAs ?? -1]?.at ?? at, 10)
    const nameLength = Buffer.alloc(4)
    nameLength.writeUInt16LE(name.length, 0)
    push(signature(0x02014b50), Buffer.from([20, 0]), fields, nameLength, tail, Buffer.from(name, 'latin1'))
  }
  const end = Buffer.alloc(18)
  const count = over.count ?? entries.length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(offset - directoryAt, 8)
  end.writeUInt32LE(directoryAt + (over.directoryShift ?? 0), 12)
  end.writeUInt16LE(comment.length, 16)
  push(signature(0x06054b50), end, Buffer.from(comment))
  return new Uint8Array(Buffer.concat(chunks))
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function lengths(name: string): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16LE(name.length, 0)
  return Buffer.concat([bytes, Buffer.from(name, 'latin1')])
}

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
