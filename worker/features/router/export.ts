import { FILE_TYPES } from '#contract/file/index.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { ADD_TEMPLATE, DELETE_TEMPLATE, EXPORT_COLUMNS } from '#domain/router/member-file.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'
import { selectExportCount, selectExportRows } from './sql/software.ts'
import { MEMBER_FILE } from '#contract/router/limits.ts'
import { type WorkbookContent, createWorkbookStream } from '#features/workbook/service.ts'

/** Names, phones and notes leave the service: the audit row says how many. Passwords are never read. */
export async function exportMembers(ctx: Ctx): Promise<FileReply> {
  const { db } = ctx
  const scope = requireSession(ctx)
  const { total, first } = await batch(db, {
    total: selectExportCount(db, scope),
    first: selectExportRows(db, scope, null, MEMBER_FILE.portion),
  })
  const rows = total[0]?.[0] ?? 0
  await batch(db, {
    audit: auditRow(ctx, {
      module: 'router',
      action: 'export',
      target: '软件成员',
      message: `导出${rows}个软件成员`,
      after: { rows },
    }),
  })
  return workbook('软件成员', { columns: EXPORT_COLUMNS, rows: exportRows(ctx, first) })
}

type Row = Awaited<ReturnType<typeof selectExportRows>>[number]

/** One portion is held at a time, and the next one read when the download has taken it. */
async function* exportRows(ctx: Ctx, first: readonly Row[]): AsyncGenerator<readonly string[]> {
  let portion = first
  for (;;) {
    for (const { name, areaCode, phone, note } of portion)
      yield phone === null ? [name, '', '', note] : [name, areaCode, phone, note]
    const last = portion.at(-1)
    if (last === undefined || portion.length < MEMBER_FILE.portion) return
    portion = await selectExportRows(ctx.db, requireSession(ctx), last.id, MEMBER_FILE.portion)
  }
}

export const addTemplate = (): FileReply => workbook('批量添加软件成员模板', { columns: ADD_TEMPLATE, rows: [] })
export const deleteTemplate = (): FileReply => workbook('批量删除软件成员模板', { columns: DELETE_TEMPLATE, rows: [] })

const workbook = (name: string, content: Omit<WorkbookContent, 'sheetName'>): FileReply => ({
  body: createWorkbookStream({ sheetName: '软件成员', ...content }),
  type: FILE_TYPES.xlsx.mediaType,
  name: `${name}.xlsx`,
})
