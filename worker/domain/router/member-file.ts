import { type Violation, batchSentence, violation } from '#contract/kernel/result.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { fileMember } from '#contract/router/fields.ts'
import type { routerApi } from '#contract/router/index.ts'
import { checkPassword } from '#domain/account/password.ts'

/* Spreadsheets that add, delete or export software members: columns, parsed rows, and the result of each row. */

/** Columns of the files. A header may also be the name in the API, as in an export. */
const COLUMNS = {
  account: { header: '账号', name: 'router_name', width: 24 },
  password: { header: '密码', name: 'password', width: 20 },
  areaCode: { header: '国家代码', name: 'area_number', width: 12 },
  phone: { header: '手机号码', name: 'phone', width: 18 },
  note: { header: '备注', name: 'note', width: 28 },
} as const
type Column = keyof typeof COLUMNS

const headersOf = (...columns: readonly Column[]) => columns.map((key) => COLUMNS[key])

export const ADD_TEMPLATE = headersOf('account', 'password', 'areaCode', 'phone', 'note')
export const DELETE_TEMPLATE = headersOf('account')
/** Columns of an export (network 2): router_name, area_number, phone, note. */
export const EXPORT_COLUMNS = headersOf('account', 'areaCode', 'phone', 'note').map(({ name, width }) => ({
  header: name,
  width,
}))

/** Typed cells of one row; `row` is its number in the spreadsheet. */
export type MemberFileRow = { readonly row: number } & Readonly<Record<Column, string>>

/** Parses the rows below the header; blank ones are skipped. */
export function parseMemberFile(
  rows: readonly (readonly string[])[],
  needed: readonly Column[],
): readonly MemberFileRow[] | Violation {
  const at = findColumns(rows[0] ?? [])
  if (at === null || needed.some((column) => at[column] === undefined)) return violation('WORKBOOK_HEADER')
  const cell = (row: readonly string[], column: Column) => row[at[column] ?? -1] ?? ''
  const found = rows.flatMap((row, index): MemberFileRow[] =>
    index === 0 || row.length === 0
      ? []
      : [
          {
            row: index + 1,
            account: cell(row, 'account').trim(),
            password: cell(row, 'password'),
            areaCode: cell(row, 'areaCode').trim().replace(/^\+/, ''),
            phone: cell(row, 'phone').replace(/[\s-]/g, ''),
            note: cell(row, 'note').trim(),
          },
        ],
  )
  return found.length === 0 ? violation('WORKBOOK_EMPTY') : found
}

/** Index of each column; null when a title is unknown or occurs twice. */
function findColumns(header: readonly string[]): Partial<Record<Column, number>> | null {
  const at: Partial<Record<Column, number>> = {}
  for (const [index, text] of header.entries()) {
    const title = text.trim().toLowerCase()
    if (title === '') continue
    const key = (Object.keys(COLUMNS) as Column[]).find(
      (column) => COLUMNS[column].header === title || COLUMNS[column].name === title,
    )
    if (key === undefined || at[key] !== undefined) return null
    at[key] = index
  }
  return at
}

export type FileMember = Omit<MemberFileRow, 'account'> & { readonly name: string }

type RowResult = Output<typeof routerApi.batch>['result'][number]

/** A sentence about a cell, or the refusal of a rule. */
export type RowProblem = string | Violation

export const toRowResult = (row: number, name: string, problem: RowProblem | null | undefined): RowResult => ({
  row,
  router_name: name,
  ok: problem ? 0 : 1,
  msg: typeof problem === 'string' ? problem : problem ? toMessage(problem) : '',
  ...(problem && typeof problem !== 'string' && { reason: problem.key }),
})

interface KnownMembers {
  readonly sign: string
  /** User names of the file that are taken, in lower case. */
  readonly names: ReadonlySet<string>
  /** Phones of the file that other members have, as `phoneKey`. */
  readonly phones: ReadonlySet<string>
  /** Number of software members that the account may still add, and its limit. */
  readonly remaining: number
  readonly limit: number
}

export const phoneKey = (areaCode: string, phone: string): string => `${areaCode} ${phone}`

/**
 * Checks a file of new members: types, duplicates in the file and in the account, quota (network 5). With `isWhole`, one
 * wrong row stops the whole file.
 */
export function planBatch(rows: readonly MemberFileRow[], known: KnownMembers, isWhole: boolean) {
  const firstRows: FirstRows = { names: new Map(), phones: new Map() }
  const accepted: FileMember[] = []
  const problems = new Map<number, RowProblem>()
  for (const typed of rows) {
    const member = toMember(typed, known.sign)
    const problem = typeof member === 'string' ? member : conflictOf(typed, member, known, firstRows)
    if (problem !== null) problems.set(typed.row, problem)
    else if (accepted.length >= known.remaining)
      problems.set(typed.row, violation('SOFTWARE_LIMIT_REACHED', { limit: known.limit }))
    else if (typeof member !== 'string') accepted.push(member)
  }
  const isRefused = isWhole && problems.size > 0
  const others = isRefused ? violation('ROW_LEFT_OUT') : null
  const result = rows.map(({ row, account }) => toRowResult(row, account, problems.get(row) ?? others))
  return { accepted: isRefused ? [] : accepted, result }
}

function toMember({ row, account, password, areaCode, phone, note }: MemberFileRow, sign: string): FileMember | string {
  const parsed = fileMember.safeParse({ account, password, area_code: areaCode, phone, note })
  if (!parsed.success) return parsed.error.issues[0]?.message ?? ''
  const cells = parsed.data
  return { ...cells, row, name: `${cells.account}@${sign}`, areaCode: cells.area_code }
}

/** Row numbers by name and by phone, each of its first occurrence in the file. */
interface FirstRows {
  readonly names: Map<string, number>
  readonly phones: Map<string, number>
}

/** A name or phone belongs to its first row, even if that row is refused. */
function conflictOf(
  { row, account }: MemberFileRow,
  member: FileMember,
  known: KnownMembers,
  firstRows: FirstRows,
): Violation | null {
  const name = account.toLowerCase()
  const phone = member.phone === '' ? null : phoneKey(member.areaCode, member.phone)
  const [sameName, samePhone] = [firstRows.names.get(name), phone === null ? undefined : firstRows.phones.get(phone)]
  if (sameName === undefined) firstRows.names.set(name, row)
  if (phone !== null && samePhone === undefined) firstRows.phones.set(phone, row)
  if (sameName !== undefined) return violation('ROW_NAME_TWICE', { row: sameName })
  if (known.names.has(name)) return violation('ROUTER_NAME_TAKEN')
  if (samePhone !== undefined) return violation('ROW_PHONE_TWICE', { row: samePhone })
  if (phone !== null && known.phones.has(phone)) return violation('MEMBER_PHONE_TAKEN')
  return checkPassword(member.password, { names: [account], phone: member.phone })
}

/** For example 成功添加3个成员，失败2个. */
export function resultSentence(call: 'added' | 'deleted', result: readonly RowResult[]): string {
  const done = result.filter(({ ok }) => ok === 1).length
  const sentence = batchSentence(call, { done, left: result.length - done, noun: '成员' }, 'counted')
  return done === 0 ? `${sentence}，请按结果修改后重试` : sentence
}
