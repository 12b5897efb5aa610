import * as XLSX from 'xlsx'
import { FILE_TYPES } from '#contract/file/index.ts'
import { type ErrorKey, Refusal } from '#contract/kernel/errors.ts'
import { createWorkbookStream, readWorkbook } from '#features/workbook/service.ts'

/** An upload whose first row is the header. */
export async function createMemberFile(rows: readonly (readonly string[])[], name = 'members.xlsx'): Promise<File> {
  const [header = [], ...others] = rows
  const columns = header.map((title) => ({ header: title }))
  const stream = createWorkbookStream({ sheetName: '软件成员', columns, rows: others })
  return new File([await new Response(stream).arrayBuffer()], name, { type: FILE_TYPES.xlsx.mediaType })
}

/** Every cell of a workbook, from its bytes or their base64, as text that a test can search. */
export function readWorkbookText(workbook: ArrayBuffer | string): string {
  const { Sheets } = XLSX.read(workbook, { type: typeof workbook === 'string' ? 'base64' : 'array' })
  return Object.values(Sheets)
    .map((sheet) => XLSX.utils.sheet_to_csv(sheet))
    .join('\n')
}

/** Cells of an upload as a program shows them. */
export const readShown = async (bytes: Uint8Array, rowsMax?: number): Promise<string[][]> =>
  (await readWorkbook(bytes, rowsMax)).map((row) => row.map(({ shown }) => shown))

/** Key of the refusal of an upload; null where it is read. */
export async function refusalKey(bytes: Uint8Array, rowsMax?: number): Promise<ErrorKey | null> {
  try {
    await readWorkbook(bytes, rowsMax)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.violation.key
    throw error
  }
}
