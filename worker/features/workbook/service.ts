import { crc32, inflateRawSync, constants, deflateRawSync } from 'node:zlib'
import type * as SheetJS from 'xlsx'
import type { CellObject, WorkSheet } from 'xlsx'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { pause } from '#db/concurrency.ts'
import { toDateFormat, toFormatsXml } from '#domain/workbook/number-format.ts'
import { SHEET_PART, STRINGS_PART, STYLES_PART, toPackageParts } from '#domain/workbook/package-xml.ts'
import { findSheetParts } from '#domain/workbook/sheet-parts.ts'
import {
  type CellValue,
  SHEET_TAIL,
  STYLES,
  type WorkbookColumn,
  headRows,
  toSheetHeadXml,
  toRowXml,
  hasValuesBeyond,
} from '#domain/workbook/sheet-xml.ts'
import { inspectWorkbook } from '#domain/workbook/workbook-parts.ts'
import { isPlainXml, withLargeCharacters } from '#domain/workbook/xml.ts'
import type { ZipEntry } from '#domain/workbook/zip-directory.ts'
import { METHOD, type ZipMember, centralHeader, endRecord, localHeader, dataDescriptor } from '#domain/workbook/zip.ts'

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
  const parts = [...toPackageParts({ sheetName }), [STYLES_PART, STYLES] as const].map(
    ([name, xml]) => [name, [xml]] as const,
  )
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
  let number = headRows(columns)
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

function createStoredZip(files: readonly (readonly [name: string, bytes: Uint8Array])[]): Uint8Array {
  const chunks: Uint8Array[] = []
  const members: ZipMember[] = []
  let offset = 0
  for (const [name, bytes] of files) {
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

/** Cell of an uploaded sheet. */
interface SheetCell {
  /** Text as a program shows it; dates as `toDateFormat` says. */
  readonly shown: string
  /** The same, but an integer in full, whatever its format. */
  readonly value: string
}
export type SheetRow = readonly SheetCell[]

/**
 * Reads the first visible sheet of an uploaded workbook; `rows[i]` is row `i + 1`, a blank one is `[]`. Formulas count as
 * their saved values. SheetJS sees only parts that were unpacked here, in a package of our own. Throws Refusals (WORKBOOK_*).
 */
export async function readWorkbook(bytes: Uint8Array, rowsMax: number = WORKBOOK.rowsMax): Promise<SheetRow[]> {
  const inspected = inspectWorkbook(bytes)
  if ('key' in inspected) throw new Refusal(inspected)
  const read = (key: string): PartText | null => {
    const entry = inspected.parts.get(key)
    return entry ? toPartText(unpack(bytes, entry)) : null
  }
  const found = findSheetParts((key) => read(key)?.text ?? null)
  if ('key' in found) throw new Refusal(found)
  const sheet = read(found.sheet) ?? refuse('WORKBOOK_INVALID')
  if (hasValuesBeyond(sheet.text, rowsMax)) refuse('WORKBOOK_ROWS', { limit: rowsMax })
  const strings = found.strings === null ? null : read(found.strings)
  const styles = found.styles === null ? null : read(found.styles)
  const { isDate1904 } = found
  const parts: (readonly [name: string, bytes: Uint8Array])[] = [
    ...toPackageParts({ sheetName: '1', isDate1904, hasStrings: strings !== null }),
    [STYLES_PART, toFormatsXml(styles?.text ?? '')] as const,
  ].map(([name, xml]) => [name, new TextEncoder().encode(xml)])
  if (strings !== null) parts.push([STRINGS_PART, strings.bytes])
  parts.push([SHEET_PART, sheet.bytes])
  const xlsx = await import('xlsx') // lazy: 100 ms of CPU time that only imports need
  return toRows(parseSheet(xlsx, createStoredZip(parts), rowsMax), (cell) => toSheetCell(xlsx, cell, isDate1904))
}

type Xlsx = Pick<typeof SheetJS, 'read' | 'SSF'>

/** XML of a part, and the same in UTF-8. */
interface PartText {
  readonly text: string
  readonly bytes: Uint8Array
}

/** Decodes a part by its byte order mark: UTF-8 or UTF-16, the two that a package may have. */
function toPartText(bytes: Uint8Array): PartText {
  const mark = bytes.length < 2 ? 0 : (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)
  const label = mark === 0xfeff ? 'utf-16be' : mark === 0xfffe ? 'utf-16le' : 'utf-8'
  const typed = decoded(bytes, label)
  if (!isPlainXml(typed, label === 'utf-8' ? label : 'utf-16')) refuse('WORKBOOK_INVALID')
  const text = withLargeCharacters(typed)
  return { text, bytes: label === 'utf-8' && text === typed ? bytes : new TextEncoder().encode(text) }
}

function decoded(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return refuse('WORKBOOK_INVALID')
  }
}

/** Unpacks one entry. It stops beyond the declared size, which limits the cost of a forged entry. */
function unpack(bytes: Uint8Array, { dataOffset, packedSize, size, method, crc32: declared }: ZipEntry): Uint8Array {
  if (method !== METHOD.stored && method !== METHOD.deflated) refuse('WORKBOOK_INVALID')
  const packed = bytes.subarray(dataOffset, dataOffset + packedSize)
  const unpacked = method === METHOD.deflated ? inflated(packed, size) : packed
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

function parseSheet({ read }: Xlsx, zip: Uint8Array, rowsMax: number): WorkSheet {
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

function toRows(sheet: WorkSheet, toCell: (cell: CellObject) => SheetCell): SheetRow[] {
  const rows: SheetCell[][] = []
  // By key: with a very large index, a loop over the sparse array would take for ever.
  for (const [index, cells] of Object.entries((sheet['!data'] ?? []) as Record<number, CellObject[]>)) {
    const row: SheetCell[] = []
    for (const [column, object] of Object.entries(cells as Record<number, CellObject>)) {
      const cell = toCell(object)
      if (cell.value === '') continue
      if (!(Number(column) < WORKBOOK.columnsMax)) refuse('WORKBOOK_COLUMNS', { limit: WORKBOOK.columnsMax })
      while (row.length < Number(column)) row.push(BLANK)
      row[Number(column)] = cell
    }
    if (row.length === 0) continue
    while (rows.length < Number(index)) rows.push([])
    rows[Number(index)] = row
  }
  return rows
}

const toCell = (shown: string, value = shown): SheetCell => ({ shown: shown.trim(), value: value.trim() })
const BLANK = toCell('')
/** Excel shows 15 digits of a number. */
const DIGITS = 15
const DATE_MAX = 2_958_465 // 9999-12-31
const PLAIN = ['General', '@']

function toSheetCell({ SSF }: Xlsx, cell: CellObject, isDate1904: boolean): SheetCell {
  const { t, v, w } = cell
  if (v === undefined || v === null) return BLANK
  if (t === 'n' && typeof v === 'number') return toNumberCell(SSF, v, cell, isDate1904)
  return toCell(t === 's' ? String(v) : (w ?? String(v)))
}

function toNumberCell(SSF: Xlsx['SSF'], number: number, { w, z }: CellObject, isDate1904: boolean): SheetCell {
  const full = String(Number(number.toPrecision(DIGITS)))
  const format = String(z ?? PLAIN[0])
  const isDate = number >= 0 && number <= DATE_MAX && SSF.is_date(format)
  if (isDate) return toCell(dateText(SSF, toDateFormat(format), number, isDate1904) ?? w ?? full)
  const shown = PLAIN.includes(format) ? full : (w ?? full)
  return toCell(shown, /^-?\d+$/.test(full) ? full : shown)
}

/** SheetJS throws for parts of a format that it does not know. */
function dateText(SSF: Xlsx['SSF'], format: string, day: number, date1904: boolean): string | null {
  try {
    return SSF.format(format, day, { date1904 }) as string
  } catch {
    return null
  }
}
