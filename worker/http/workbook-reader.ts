import { crc32, inflateRawSync } from 'node:zlib'
import type * as SheetJS from 'xlsx'
import type { CellObject, WorkSheet } from 'xlsx'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { inspectWorkbook, isPlainXml } from '#domain/workbook/workbook-parts.ts'
import { hasValuesBeyond } from '#domain/workbook/sheet-rows.ts'
import type { ZipEntry } from '#domain/workbook/zip-directory.ts'
import { createStoredZip } from './stored-zip.ts'

/** Where a workbook may keep its sheets; drawings have rows of another kind. */
const SHEET_PART = /^xl\/(?!drawings\/)/

/**
 * The first sheet of an uploaded workbook as text, row by row; `rows[i]` is row `i + 1`, a blank one is `[]`. Formulas
 * count as the value that was saved with them. SheetJS sees only parts that were unpacked here, under the size guard.
 * Throws Refusals (WORKBOOK_*).
 */
export async function readWorkbook(bytes: Uint8Array, rowsMax: number = WORKBOOK.rowsMax): Promise<string[][]> {
  const inspected = inspectWorkbook(bytes)
  if ('key' in inspected) throw new Refusal(inspected)
  const parts = inspected.parts.map((part) => ({ name: part.name, bytes: unpack(bytes, part) }))
  if (!parts.every((part) => isPlainXml(part.bytes))) refuse('WORKBOOK_INVALID')
  for (const { name, bytes: xml } of parts) {
    if (!SHEET_PART.test(name)) continue
    if (hasValuesBeyond(new TextDecoder().decode(xml), rowsMax)) refuse('WORKBOOK_ROWS', { limit: rowsMax })
  }
  const xlsx = await import('xlsx') // lazy: 100 ms of CPU time that only imports need
  return textRows(xlsx, parseFirstSheet(xlsx, createStoredZip(parts), rowsMax))
}

type Xlsx = Pick<typeof SheetJS, 'read' | 'SSF'>

/** Stops beyond the declared size, which bounds the cost of a forged entry. */
function unpack(
  bytes: Uint8Array,
  { dataOffset, packedSize, size, isDeflated, crc32: declared }: ZipEntry,
): Uint8Array {
  const packed = bytes.subarray(dataOffset, dataOffset + packedSize)
  const unpacked = isDeflated ? inflated(packed, size) : packed
  return unpacked.length === size && crc32(unpacked) === declared ? unpacked : refuse('WORKBOOK_INVALID')
}

/** workerd doubles its buffer as it grows, and refuses one beyond the limit although the output would fit. */
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
  // By key: an index far out would make a walk over a sparse array take for ever.
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
