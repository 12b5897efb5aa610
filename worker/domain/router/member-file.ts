import { type Violation, violation } from '#contract/kernel/result.ts'

/** Columns of the files by which software members are added, deleted and exported. A header may also be the name in the API, as an export carries it. */
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
/** Network 2: router_name, area_number, phone, note. */
export const EXPORT_COLUMNS = headersOf('account', 'areaCode', 'phone', 'note').map(({ name, width }) => ({
  header: name,
  width,
}))

/** One row as it was typed; `row` as the spreadsheet numbers it. */
export type MemberFileRow = { readonly row: number } & Readonly<Record<Column, string>>

/** The rows below the header; blank ones are passed over. */
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
