import { constants, crc32, deflateRawSync } from 'node:zlib'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import {
  type CellValue,
  SHEET_PART,
  SHEET_TAIL,
  type WorkbookColumn,
  toSheetHeadXml,
  toRowXml,
  workbookParts,
} from '#domain/workbook/sheet-xml.ts'
import {
  METHOD,
  type ZipMember,
  centralHeader,
  dataDescriptor,
  endRecord,
  localHeader,
} from '#domain/workbook/zip-record.ts'

export interface WorkbookContent {
  readonly sheetName: string
  readonly columns: readonly WorkbookColumn[]
  /** Read while the download streams: one page of the query at a time. */
  readonly rows: AsyncIterable<readonly CellValue[]> | Iterable<readonly CellValue[]>
}

const SEGMENT_CHARACTERS = 65_536
/** A deflate block that is last and empty (RFC 1951, 3.2.6). */
const LAST_BLOCK = new Uint8Array([3, 0])

/**
 * An .xlsx as a stream of bytes that holds one segment of XML at a time, however many rows there are (SheetJS keeps
 * 50,000 in 360 MB). Nothing is read ahead: rows are asked for when the client takes bytes. If `rows` throws, the stream
 * errors and the download is cut off, which no program opens by mistake. More rows than Excel can show are an error.
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
 * Complete blocks that end on a byte, so that segments can follow each other (as pigz does). CompressionStream would do
 * without them, but its queue cannot be bounded.
 */
const deflateSegment = (bytes: Uint8Array): Uint8Array => deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })

/** The sheet's XML in segments. */
async function* sheetTexts(columns: WorkbookContent['columns'], rows: WorkbookContent['rows']): AsyncGenerator<string> {
  let text = toSheetHeadXml(columns)
  let number = 1
  for await (const values of rows) {
    if (++number > WORKBOOK.writtenRowsMax) throw new Error(`more than ${WORKBOOK.writtenRowsMax} rows in a sheet`)
    text += toRowXml(number, values)
    if (text.length < SEGMENT_CHARACTERS) continue
    yield text
    text = ''
  }
  yield text + SHEET_TAIL
}
