import { type Violation, violation } from '#contract/kernel/result.ts'
import { codeText, plainText } from '#contract/kernel/input/typed-text.ts'
import { undividedPhone } from '#contract/kernel/input/phone.ts'
import { existingName } from '#contract/router/fields.ts'
import { MEMBER_FILE } from '#contract/router/limits.ts'
import { type WorkbookColumn, columnName } from '#domain/workbook/sheet-xml.ts'

/* Columns of member files: templates, the header row of an upload, and columns whose cells were swapped. */

interface FileColumn extends WorkbookColumn {
  /** Name in the API, as in an export. */
  readonly name: string
  readonly rule: string
  /** Other titles that people give, as `titleKey` makes them. */
  readonly synonyms: readonly string[]
}

/** Rules (network 5) begin with one of these words, by which their row is known. */
const RULE_WORD = /^(必填|选填)/
const COLUMNS = {
  account: {
    header: '账号',
    name: 'router_name',
    width: 24,
    rule: '必填，3-18位字母、数字、下划线和点，不写后缀',
    synonyms: [
      '帐号',
      '账户',
      '帐户',
      '账号名',
      '用户名',
      '用户账号',
      '成员账号',
      '登录名',
      '登录账号',
      'account',
      'username',
    ],
  },
  password: {
    header: '密码',
    name: 'password',
    width: 20,
    rule: '必填，6-18位字母或数字',
    synonyms: ['登录密码', '初始密码', '账号密码', '用户密码'],
  },
  areaCode: {
    header: '国家代码',
    name: 'area_number',
    width: 16,
    rule: '选填，例如852，不填为86',
    synonyms: [
      '区号',
      '国家区号',
      '国际区号',
      '国家码',
      '国家地区代码',
      '地区代码',
      '手机区号',
      'areacode',
      'countrycode',
    ],
  },
  phone: {
    header: '手机号码',
    name: 'phone',
    width: 18,
    rule: '选填，须正确且不重复',
    synonyms: ['手机号', '手机', '电话', '电话号码', '联系电话', '联系方式', '移动电话', '手机电话', 'mobile', 'tel'],
  },
  note: {
    header: '备注',
    name: 'note',
    width: 28,
    rule: '选填，20字以内，不含特殊字符',
    synonyms: ['备注信息', '备注说明', '说明', 'remark', 'remarks'],
  },
} as const satisfies Record<string, FileColumn>
export type Column = keyof typeof COLUMNS
const KEYS = Object.keys(COLUMNS) as Column[]

const templateOf = (...columns: readonly Column[]): readonly WorkbookColumn[] =>
  columns.map((key) => ({ header: COLUMNS[key].header, width: COLUMNS[key].width, rule: COLUMNS[key].rule }))

export const ADD_TEMPLATE = templateOf('account', 'password', 'areaCode', 'phone', 'note')
export const DELETE_TEMPLATE: readonly WorkbookColumn[] = [
  { ...COLUMNS.account, width: 32, rule: '必填，每行一个账号，可以带后缀' },
]
/** Columns of an export (network 2): router_name, area_number, phone, note. */
export const EXPORT_COLUMNS: readonly WorkbookColumn[] = (['account', 'areaCode', 'phone', 'note'] as const).map(
  (key) => ({ header: COLUMNS[key].name, width: COLUMNS[key].width }),
)

/** Title without marks of required fields, remarks in brackets, blanks and punctuation. */
function titleKey(title: string): string {
  const text = codeText(title).toLowerCase()
  const withoutRemark = text.replace(/[([【<《][^)\]】>》]*[)\]】>》]?/gu, '').trim()
  return (withoutRemark || text).replace(/[^\p{L}\p{N}]/gu, '').replace(/(必填|选填|可选)$/, '')
}

const columnOf = (title: string): Column | undefined => {
  const key = titleKey(title)
  return KEYS.find((column) => {
    const { header, name, synonyms } = COLUMNS[column]
    return [header, titleKey(name), ...synonyms].includes(key)
  })
}

/** Index of each column in a row of titles. */
type ColumnIndexes = Partial<Record<Column, number>>

export interface Header {
  /** Index of its row. */
  readonly row: number
  readonly at: ColumnIndexes
}

interface Titles extends Header {
  readonly known: number
  /** Index of a title that is none of ours. */
  readonly unknown: number | undefined
  /** Indexes of two titles of one column. */
  readonly twice: readonly [number, number] | undefined
}

/** Header among the first rows with cells: the first that has every needed column. A refusal names the column. */
export function findHeader(rows: readonly (readonly string[])[], needed: readonly Column[]): Header | Violation {
  const first = rows.flatMap((cells, row) => (cells.length === 0 ? [] : [row])).slice(0, MEMBER_FILE.headerRows)
  const candidates = first.map((row) => readTitles(rows[row] ?? [], row))
  const fitting = candidates.find(({ at }) => needed.every((column) => at[column] !== undefined))
  const [header = fitting] = candidates.toSorted((a, b) => b.known - a.known)
  return fitting === undefined ? missingColumns(rows, header, needed) : (wrongTitle(rows, fitting) ?? fitting)
}

function readTitles(cells: readonly string[], row: number): Titles {
  const at: ColumnIndexes = {}
  let [unknown, twice]: [Titles['unknown'], Titles['twice']] = [undefined, undefined]
  for (const [index, title] of cells.entries()) {
    if (plainText(title) === '') continue
    const column = columnOf(title)
    const earlier = column && at[column]
    if (column === undefined) unknown ??= index
    else if (earlier !== undefined) twice ??= [earlier, index]
    else at[column] = index
  }
  return { row, at, known: Object.keys(at).length, unknown, twice }
}

const TITLE_MAX = 20
const titleAt = (rows: readonly (readonly string[])[], row: number, index: number) =>
  [...plainText(rows[row]?.[index] ?? '')].slice(0, TITLE_MAX).join('')

/** Names what is missing from the row with most of our titles, and what stands there that is none. */
function missingColumns(
  rows: readonly (readonly string[])[],
  header: Titles | undefined,
  needed: readonly Column[],
): Violation {
  const missing = needed.filter((column) => header?.at[column] === undefined)
  const columns = missing.map((column) => `“${COLUMNS[column].header}”`).join('')
  const { row = 0, known = 0, unknown } = header ?? {}
  const hint =
    known === 0 || unknown === undefined ? '' : `，无法识别${columnName(unknown)}列的“${titleAt(rows, row, unknown)}”`
  return violation('WORKBOOK_HEADER', { columns, hint, rows: MEMBER_FILE.headerRows })
}

function wrongTitle(rows: readonly (readonly string[])[], { row, unknown, twice }: Titles): Violation | null {
  if (twice !== undefined) {
    const columns = twice.map((index) => `${columnName(index)}列“${titleAt(rows, row, index)}”`).join('和')
    return violation('WORKBOOK_COLUMN_TWICE', { columns })
  }
  if (unknown === undefined) return null
  return violation('WORKBOOK_COLUMN_UNKNOWN', { column: columnName(unknown), title: titleAt(rows, row, unknown) })
}

/** Cells of one row by column; without a cell, ''. */
export type Cells = Readonly<Record<Column, string>>

/** True for the row of rules below the header of a template. */
export function isRuleRow(cells: Cells): boolean {
  const texts = KEYS.map((column) => cells[column]).filter((text) => text !== '')
  return texts.length > 0 && texts.every((text) => RULE_WORD.test(text))
}

const titlesOf = (first: Column, second: Column): Violation =>
  violation('WORKBOOK_COLUMNS_SWAPPED', { first: COLUMNS[first].header, second: COLUMNS[second].header })

/** Refusal of a template whose titles no longer stand above their own rules. */
export function checkRuleRow(cells: Cells): Violation | null {
  for (const column of KEYS) {
    const owner = KEYS.find((other) => codeText(COLUMNS[other].rule) === codeText(cells[column])) ?? column
    if (owner !== column) return titlesOf(column, owner)
  }
  return null
}

/** Shape of a cell that can only be meant for its column. A password has letters and digits, by which it differs from a name. */
const SHAPES: Readonly<Record<Column, (text: string) => boolean>> = {
  account: (text) => existingName.safeParse(text).success,
  password: (text) => /^(?=.*[a-zA-Z])(?=.*\d)[a-zA-Z0-9]{6,18}$/.test(text),
  areaCode: (text) => /^\+?\d{1,4}$/.test(text),
  phone: (text) => /^\+?\d{5,15}$/.test(undividedPhone(text)),
  note: (text) => text.length <= MEMBER_FILE.noteMax,
}
const PAIRS = KEYS.flatMap((first, i) => KEYS.slice(i + 1).map((second) => [first, second] as const))

/**
 * Refusal of two columns with each other's cells: in most rows that have both, the cells fit only the other way round. Such
 * rows are wrong in any case; this names the cause.
 */
export function checkSwapped(rows: readonly Cells[]): Violation | null {
  for (const [first, second] of PAIRS) {
    const both = rows.filter((cells) => cells[first] !== '' && cells[second] !== '')
    const swapped = both.filter(
      (cells) => fits(cells[second], cells[first], first, second) && !fits(cells[first], cells[second], first, second),
    )
    if (swapped.length * 2 > both.length) return titlesOf(first, second)
  }
  return null
}

const fits = (one: string, other: string, first: Column, second: Column): boolean =>
  SHAPES[first](one) && SHAPES[second](other)
