import { FILE_TYPES } from '../../worker/contract/file.ts'
import { createWorkbookStream } from '../../worker/http/workbook-writer.ts'

/** An upload whose first row is the header. */
export async function createMemberFile(rows: readonly (readonly string[])[], name = 'members.xlsx'): Promise<File> {
  const [header = [], ...others] = rows
  const columns = header.map((title) => ({ header: title }))
  const stream = createWorkbookStream({ sheetName: '软件成员', columns, rows: others })
  return new File([await new Response(stream).arrayBuffer()], name, { type: FILE_TYPES.xlsx.mediaType })
}
