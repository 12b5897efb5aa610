import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { violation } from '#contract/kernel/result.ts'
import { existingName } from '#contract/router/fields.ts'
import { type RowProblem, resultSentence, toRowResult } from '#domain/router/batch.ts'
import type { MemberFileRow } from '#domain/router/member-file.ts'
import type { Ctx } from '#http/context.ts'
import { readMemberFile } from './batch-add.ts'
import { deleteRouters } from './delete.ts'
import type { routerApi } from '#contract/router/index.ts'

type Api = typeof routerApi

/** Deletes the members that a file names and that may go. */
export async function batchDeleteFile(
  ctx: Ctx,
  { file }: Parsed<Api['batchDeleteFile']>,
): Promise<Output<Api['batchDeleteFile']>> {
  const rows = await readMemberFile(file, ['account'])
  const wrong = findWrong(rows)
  const names = rows.filter(({ row }) => !wrong.has(row)).map(({ account }) => account)
  const problems = await deleteRouters(ctx, { action: 'batch_delete_file', names, isOfFile: true, isConfirmed: false })
  const result = rows.map(({ row, account }) => toRowResult(row, account, wrong.get(row) ?? problems.get(account)))
  return { result, msg: resultSentence('删除', result) }
}

/** Problems of rows by row number: a name that is none, or that an earlier row has. */
function findWrong(rows: readonly MemberFileRow[]): ReadonlyMap<number, RowProblem> {
  const seen = new Map<string, number>()
  const wrong = new Map<number, RowProblem>()
  for (const { row, account } of rows) {
    const parsed = existingName.safeParse(account)
    const name = account.toLowerCase()
    const earlier = seen.get(name)
    if (!parsed.success) wrong.set(row, parsed.error.issues[0]?.message ?? '')
    else if (earlier !== undefined) wrong.set(row, violation('ROW_NAME_TWICE', { row: earlier }))
    else seen.set(name, row)
  }
  return wrong
}
