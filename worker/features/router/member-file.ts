import type { Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import type { UploadedFile } from '#contract/kernel/uploads.ts'
import { existingName } from '#contract/router/fields.ts'
import { auditRows, auditRow } from '#db/audit.ts'
import { type Statements, batch } from '#db/batch.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { pause } from '#db/concurrency.ts'
import { guardSign, guardSoftwareQuota } from '#db/quota.ts'
import {
  type MemberFileRow,
  parseMemberFile,
  type FileMember,
  phoneKey,
  planBatch,
  resultSentence,
  type RowProblem,
  toRowResult,
} from '#domain/router/member-file.ts'
import { ADD_TEMPLATE, DELETE_TEMPLATE, EXPORT_COLUMNS } from '#domain/router/member-file-columns.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { readWorkbook, type WorkbookContent, createWorkbookStream } from '#features/workbook/service.ts'
import { newHubName, placeOf } from '#security/hub-name.ts'
import { memberPasswordPlace, seal } from '#security/sealed.ts'
import { checkJoinRight, selectJoin, writeWithJoin } from './join.ts'
import { guardPhonesFree, insertSoftware, selectPhonesTaken, selectUsernamesTaken } from './sql/add.ts'
import { selectSoftwareQuota } from './sql/lists.ts'
import type { routerApi } from '#contract/router/index.ts'
import { MEMBER_FILE, ROUTER_TYPE } from '#contract/router/limits.ts'
import { FILE_TYPES } from '#contract/file/index.ts'
import type { FileReply } from '#http/file-reply.ts'
import { deleteRouters } from './delete.ts'
import { selectExportCount, selectExportRows } from './sql/software.ts'

/* Workbook files of software members: import of new ones, deletion by file, export, templates. */

type Api = typeof routerApi

/**
 * Adds the members of a file. Their passwords are sealed, because hashing a thousand takes minutes. The cron hashes them
 * later (jobs/member-passwords.ts); until then a sign-in compares with the sealed text.
 */
export async function batchAdd(ctx: Ctx, { file, network_number, all }: Parsed<Api['batch']>) {
  checkJoinRight(ctx, network_number)
  const rows = await readMemberFile(file, ['account', 'password'])
  const { found, quota, sign } = await readKnown(ctx, rows, network_number)
  const known = {
    sign,
    names: new Set(found.names.map(([name]) => name.toLowerCase())),
    phones: new Set(found.phones.map(([areaCode, phone]) => phoneKey(areaCode, phone))),
    remaining: quota.max - quota.used,
    limit: quota.max,
  }
  const { accepted, result } = planBatch(rows, known, all === 1)
  if (accepted.length > 0) {
    const added = await sealMembers(ctx, accepted, quota.hub)
    const { accountId, db, now } = { accountId: requireAccountId(ctx), db: ctx.db, now: ctx.now }
    const phones = accepted.filter(({ phone }) => phone !== '')
    const write = writeWithJoin(ctx, network_number, added, found, {
      sign: guardSign(db, accountId, sign),
      phones: phones.length > 0 && guardPhonesFree(db, accountId, phones),
      ...inPortions('routers', added, (portion) => insertSoftware(db, accountId, portion, now)),
      quota: guardSoftwareQuota(db, accountId, quota.max, now),
      ...inPortions('audit', added, (portion) => auditRows(ctx, portion.map(toAudit))),
    })
    await mapUniqueViolation(write, { 'routers.name': violation('MEMBERS_CHANGED') })
  }
  return { result, msg: resultSentence('added', result) }
}

async function readMemberFile(file: UploadedFile, needed: Parameters<typeof parseMemberFile>[1]) {
  const sheet = await readWorkbook(new Uint8Array(await file.arrayBuffer()))
  const rows = parseMemberFile(sheet, needed)
  if ('key' in rows) throw new Refusal(rows)
  await pause(0) // reading has kept other requests waiting
  return rows
}

async function readKnown(ctx: Ctx, rows: readonly MemberFileRow[], network: string) {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const found = await batch(db, {
    quotas: selectSoftwareQuota(db, accountId, now),
    names: selectUsernamesTaken(
      db,
      accountId,
      rows.map(({ account }) => account),
    ),
    phones: selectPhonesTaken(db, accountId, rows),
    ...selectJoin(ctx, network),
  })
  const quota = found.quotas[0] ?? refuse('SESSION_REVOKED')
  return { found, quota, sign: quota.sign ?? refuse('SIGN_REQUIRED') }
}

async function sealMembers(ctx: Ctx, members: readonly FileMember[], accountHub: string) {
  const sealed: Awaited<ReturnType<typeof sealMember>>[] = []
  for (let from = 0; from < members.length; from += MEMBER_FILE.sealedAtOnce) {
    const slice = members.slice(from, from + MEMBER_FILE.sealedAtOnce)
    sealed.push(...(await Promise.all(slice.map((member) => sealMember(ctx, member, accountHub)))))
    await pause(0)
  }
  return sealed
}

async function sealMember(ctx: Ctx, member: FileMember, accountHub: string) {
  const hub = newHubName(placeOf(accountHub))
  const place = memberPasswordPlace(requireAccountId(ctx), hub)
  const sealed = await seal(ctx.env.SEAL_KEYS, place, member.password)
  return { ...member, hub, sealed, type: ROUTER_TYPE.software }
}

/** Statements in portions, because a bound value has a size limit. */
function inPortions<T>(
  name: string,
  items: readonly T[],
  write: (portion: readonly T[]) => Statements[string],
): Statements {
  const statements: Record<string, Statements[string]> = {}
  for (let from = 0; from < items.length; from += MEMBER_FILE.portion)
    statements[`${name}${from}`] = write(items.slice(from, from + MEMBER_FILE.portion))
  return statements
}

const toAudit = ({ name, note, areaCode, phone }: FileMember) => ({
  module: 'router',
  action: 'batch',
  target: name,
  message: `批量添加软件成员“${name}”`,
  after: { router_name: name, note, area_code: areaCode, phone },
})

export async function batchDeleteFile(ctx: Ctx, { file }: Parsed<Api['batchDeleteFile']>) {
  const rows = await readMemberFile(file, ['account'])
  const wrong = findWrong(rows)
  const names = rows.filter(({ row }) => !wrong.has(row)).map(({ account }) => account)
  const problems = await deleteRouters(ctx, { action: 'batch_delete_file', names, isOfFile: true, isConfirmed: false })
  const result = rows.map(({ row, account }) => toRowResult(row, account, wrong.get(row) ?? problems.get(account)))
  return { result, msg: resultSentence('deleted', result) }
}

/** Problems of rows by row number: an invalid name, or the name of an earlier row. */
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

/** Exports names, phones and notes; the audit row has their number. Passwords are never read. */
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

/** Reads rows in portions. Only one is in memory; the next is read after the download has taken it. */
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
