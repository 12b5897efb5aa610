import { type Violation, batchSentence, violation } from '#contract/kernel/result.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { dialCodeText, dialledPhone, findDialCode, phoneText } from '#contract/kernel/input/phone.ts'
import { codeText, plainText } from '#contract/kernel/input/typed-text.ts'
import { fileMember } from '#contract/router/fields.ts'
import type { routerApi } from '#contract/router/index.ts'
import { checkPassword } from '#domain/account/password.ts'
import {
  type Cells,
  type Column,
  type Header,
  checkRuleRow,
  checkSwapped,
  findHeader,
  isRuleRow,
} from './member-file-columns.ts'

/* Spreadsheets that add or delete software members: parsed rows, the plan of a batch, and the result of each row. */

/** Cells of one row, cleaned; `row` is its number in the spreadsheet. */
export type MemberFileRow = { readonly row: number } & Cells

/** Cell of a sheet: as a program shows it, and with an integer in full. */
interface FileCell {
  readonly shown: string
  readonly value: string
}

/** Parses the rows below the header; blank ones and the rules of a template are skipped. */
export function parseMemberFile(
  rows: readonly (readonly FileCell[])[],
  needed: readonly Column[],
): readonly MemberFileRow[] | Violation {
  const header = findHeader(
    rows.map((row) => row.map(({ shown }) => shown)),
    needed,
  )
  if ('key' in header) return header
  const found = rows.flatMap((cells, index): MemberFileRow[] =>
    index <= header.row || cells.length === 0 ? [] : [{ row: index + 1, ...toCells(cells, header.at) }],
  )
  const rules = found.filter((cells, index) => index === 0 && isRuleRow(cells))
  const members = found.slice(rules.length)
  if (members.length === 0) return violation('WORKBOOK_EMPTY')
  const swapped = rules.map(checkRuleRow).find(Boolean) ?? checkSwapped(members)
  return swapped ?? members.map(withPhone)
}

function toCells(cells: readonly FileCell[], at: Header['at']): Cells {
  const code = (column: Column) => codeText(cells[at[column] ?? -1]?.value ?? '')
  return {
    account: code('account'),
    password: code('password'),
    areaCode: dialCodeText(code('areaCode')),
    phone: code('phone'),
    note: plainText(cells[at['note'] ?? -1]?.shown ?? ''),
  }
}

/** A phone with its dial code fills an empty cell of the dial code. */
function withPhone(row: MemberFileRow): MemberFileRow {
  const dialled = row.areaCode === '' ? dialledPhone(row.phone) : null
  return dialled === null
    ? { ...row, phone: phoneText(row.areaCode || DIAL_CODE_DEFAULT, row.phone) }
    : { ...row, areaCode: dialled.areaCode, phone: dialled.number }
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

const AREA_CODE_WRONG = '国家代码不正确，请填写区号，例如852'

function toMember({ row, account, password, areaCode, phone, note }: MemberFileRow, sign: string): FileMember | string {
  if (areaCode !== '' && findDialCode(areaCode) !== areaCode) return AREA_CODE_WRONG
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
