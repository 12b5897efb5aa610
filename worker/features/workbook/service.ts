import { crc32, inflateRawSync, constants, deflateRawSync } from 'node:zlib'
import type * as SheetJS from 'xlsx'
import type { CellObject, WorkSheet } from 'xlsx'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { pause } from '#db/concurrency.ts'
import { inspectWorkbook, isPlainXml } from '#domain/workbook/workbook-parts.ts'
import {
  type CellValue,
  SHEET_PART,
  SHEET_TAIL,
  type WorkbookColumn,
  toSheetHeadXml,
  toRowXml,
  workbookParts,
  hasValuesBeyond,
} from '#domain/workbook/sheet-xml.ts'
import {
  type ZipEntry,
  METHOD,
  type ZipMember,
  centralHeader,
  endRecord,
  localHeader,
  dataDescriptor,
} from '#domain/workbook/zip.ts'

/* Excel workbooks (.xlsx): written as a stream for exports, and read from uploads. */

export interface WorkbookContent {
  readonly sheetName: string
  readonly columns: readonly WorkbookColumn[]
  /** Rows, read while the download streams, one page of the query at a time. */
  readonly rows: AsyncIterable<readonly CellValue[]> | Iterable<readonly CellValue[]>
}

const SEGMENT_CHARACTERS = 65_536
/** Last and empty deflate block (RFC 1951, 3.2.6). */
const LAST_BLOCK = new Uint8Array([3, 0])

/**
 * Workbook as a stream of bytes. It holds one segment of XML at a time for any number of rows (SheetJS needs 360 MB for
 * 50,000). Rows are read only when the client takes bytes. If `rows` throws, the stream errors and the download breaks off,
 * so that no program opens it by mistake. More rows than Excel can show are an error.
 */
export function createWorkbookStream(content: WorkbookContent): ReadableStream<Uint8Array> {
  const chunks = workbookChunks(content)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
}

async function* workbookChunks({ sheetName, columns, rows }: WorkbookContent): AsyncGenerator<Uint8Array, void> {
  const members: ZipMember[] = []
  let offset = 0
  const counted = (bytes: Uint8Array) => ((offset += bytes.length), bytes)
  const parts = workbookParts(sheetName).map(([name, xml]) => [name, [xml]] as const)
  for (const [name, texts] of [...parts, [SHEET_PART, sheetTexts(columns, rows)] as const]) {
    const member = { name, method: METHOD.deflated, crc32: 0, packedSize: 0, size: 0, offset, hasDescriptor: true }
    yield counted(localHeader(member))
    for await (const text of texts) {
      const bytes = new TextEncoder().encode(text)
      const packed = deflateSegment(bytes)
      member.crc32 = crc32(bytes, member.crc32)
      member.size += bytes.length
      member.packedSize += packed.length
      yield counted(packed)
    }
    member.packedSize += LAST_BLOCK.length
    yield counted(LAST_BLOCK)
    yield counted(dataDescriptor(member))
    members.push(member)
  }
  const directoryOffset = offset
  for (const member of members) yield counted(centralHeader(member))
  yield endRecord(members.length, offset - directoryOffset, directoryOffset)
}

/**
 * Compresses a segment into complete blocks that end on a byte, so that segments can follow each other (like pigz).
 * CompressionStream is no choice, because its queue has no limit.
 */
const deflateSegment = (bytes: Uint8Array): Uint8Array => deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })

async function* sheetTexts(columns: WorkbookContent['columns'], rows: WorkbookContent['rows']): AsyncGenerator<string> {
  let text = toSheetHeadXml(columns)
  let number = 1
  for await (const values of rows) {
    if (++number > WORKBOOK.writtenRowsMax) throw new Error(`more than ${WORKBOOK.writtenRowsMax} rows in a sheet`)
    text += toRowXml(number, values)
    if (text.length < SEGMENT_CHARACTERS) continue
    yield text
    text = ''
    await pause(0) // other calls have their turn
  }
  yield text + SHEET_TAIL
}

/** Paths that may hold sheets; drawings have rows of another kind. */
const READ_SHEET = /^xl\/(?!drawings\/)/

function createStoredZip(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Uint8Array {
  const chunks: Uint8Array[] = []
  const members: ZipMember[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const member = { name, method: METHOD.stored, crc32: crc32(bytes), packedSize: bytes.length, size: bytes.length }
    members.push({ ...member, offset, hasDescriptor: false })
    const header = localHeader({ ...member, offset, hasDescriptor: false })
    chunks.push(header, bytes)
    offset += header.length + bytes.length
  }
  const directory = members.map(centralHeader)
  const directorySize = directory.reduce((sum, record) => sum + record.length, 0)
  return Buffer.concat([...chunks, ...directory, endRecord(members.length, directorySize, offset)])
}

/**
 * Reads the first sheet of an uploaded workbook as text; `rows[i]` is row `i + 1`, a blank one is `[]`. Formulas count as
 * their saved values. SheetJS sees only parts that were unpacked here, within the size limit. Throws Refusals (WORKBOOK_*).
 */
export async function readWorkbook(bytes: Uint8Array, rowsMax: number = WORKBOOK.rowsMax): Promise<string[][]> {
  const inspected = inspectWorkbook(bytes)
  if ('key' in inspected) throw new Refusal(inspected)
  const parts = inspected.parts.map((part) => ({ name: part.name, bytes: unpack(bytes, part) }))
  if (!parts.every((part) => isPlainXml(part.bytes))) refuse('WORKBOOK_INVALID')
  for (const { name, bytes: xml } of parts) {
    if (!READ_SHEET.test(name)) continue
    if (hasValuesBeyond(new TextDecoder().decode(xml), rowsMax)) refuse('WORKBOOK_ROWS', { limit: rowsMax })
  }
  const xlsx = await import('xlsx') // lazy: 100 ms of CPU time that only imports need
  return textRows(xlsx, parseFirstSheet(xlsx, createStoredZip(parts), rowsMax))
}

type Xlsx = Pick<typeof SheetJS, 'read' | 'SSF'>

/** Unpacks one entry. It stops beyond the declared size, which limits the cost of a forged entry. */
function unpack(
  bytes: Uint8Array,
  { dataOffset, packedSize, size, isDeflated, crc32: declared }: ZipEntry,
): Uint8Array {
  const packed = bytes.subarray(dataOffset, dataOffset + packedSize)
  const unpacked = isDeflated ? inflated(packed, size) : packed
  return unpacked.length === size && crc32(unpacked) === declared ? unpacked : refuse('WORKBOOK_INVALID')
}

/** Extra room for workerd: it doubles its buffer as it grows, and refuses one beyond the limit although the output fits. */
const INFLATE_SLACK_BYTES = 65_536

function inflated(packed: Uint8Array, size: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: 2 * size + INFLATE_SLACK_BYTES })
  } catch {
    return refuse('WORKBOOK_INVALID')
  }
}

function parseFirstSheet({ read }: Xlsx, zip: Uint8Array, rowsMax: number): WorkSheet {
  try {
    const { Sheets, SheetNames } = read(zip, {
      type: 'array',
      dense: true,
      sheets: 0,
      sheetRows: rowsMax,
      cellNF: true,
      cellFormula: false,
      cellHTML: false,
      cellStyles: false,
    })
    return Sheets[SheetNames[0] ?? ''] ?? refuse('WORKBOOK_INVALID')
  } catch {
    return refuse('WORKBOOK_INVALID')
  }
}

function textRows(xlsx: Xlsx, sheet: WorkSheet): string[][] {
  const rows: string[][] = []
  // By key: with a very large index, a loop over the sparse array would take for ever.
  for (const [index, cells] of Object.entries((sheet['!data'] ?? []) as Record<number, CellObject[]>)) {
    const row: string[] = []
    for (const [column, cell] of Object.entries(cells as Record<number, CellObject>)) {
      const text = cellText(xlsx, cell)
      if (text === '') continue
      if (!(Number(column) < WORKBOOK.columnsMax)) refuse('WORKBOOK_COLUMNS', { limit: WORKBOOK.columnsMax })
      while (row.length < Number(column)) row.push('')
      row[Number(column)] = text
    }
    if (row.length === 0) continue
    while (rows.length < Number(index)) rows.push([])
    rows[Number(index)] = row
  }
  return rows
}

/** Displayed text, but with full numbers (a phone number of 13 digits, not 1.38E+12) and dates in our format. */
function cellText({ SSF }: Xlsx, { t, v, w, z }: CellObject): string {
  if (v === undefined || v === null) return ''
  if (t === 'n' && typeof v === 'number') {
    if (z !== undefined && SSF.is_date(String(z))) {
      return SSF.format(Number.isInteger(v) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss', v)
    }
    return z === undefined || z === 'General' || z === '@' ? String(v) : (w ?? String(v)).trim()
  }
  return (t === 's' ? String(v) : (w ?? String(v))).trim()
}
