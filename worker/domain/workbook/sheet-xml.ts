import { WORKBOOK } from '#contract/kernel/limits.ts'
import { MAIN } from './package-xml.ts'
import { XML_HEAD, escapeXml } from './xml.ts'

/** SpreadsheetML (ECMA-376 part 1, 18.3) of one sheet of plain cells, written piece by piece. */

export type CellValue = string | number | null

export interface WorkbookColumn {
  readonly header: string
  /** In characters of the default font. */
  readonly width?: number
  /** Rule of the cells below, for a template. */
  readonly rule?: string
}

const WIDTH = 16
const TEXT_FORMAT = 49 // '@'
const RULE_HEIGHT = 28 // points: two lines, because not every program fits a row to its text

/** Indexes into cellXfs of the styles below. A quoted text remains text when its cell is edited. */
const STYLE = { text: 1, quotedText: 2, header: 3, rule: 4 } as const
const xf = (font: number, more = '', content = '') =>
  `<xf numFmtId="${TEXT_FORMAT}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${more}>${content}</xf>`

export const STYLES =
  `${XML_HEAD}<styleSheet xmlns="${MAIN}">` +
  '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font>' +
  '<font><i/><sz val="9"/><color rgb="FF808080"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  `${xf(0)}${xf(0, ' quotePrefix="1"')}${xf(1, ' applyFont="1"')}` +
  `${xf(2, ' applyFont="1" applyAlignment="1"', '<alignment vertical="top" wrapText="1"/>')}</cellXfs></styleSheet>`

/** The sheet up to its first row of data: widths, a header that does not scroll, rules below it. */
export function toSheetHeadXml(columns: readonly WorkbookColumn[]): string {
  const rows = headRows(columns)
  const headers = columns.map(({ header }) => header)
  const rules = columns.map(({ rule = '' }) => rule)
  // With rules, people fill in the columns: text keeps the zeros before a number.
  const style = rows === 1 ? '' : ` style="${STYLE.text}"`
  const widths = columns.map(
    ({ width = WIDTH }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}"${style} customWidth="1"/>`,
  )
  return (
    `${XML_HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    `<pane ySplit="${rows}" topLeftCell="A${rows + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<cols>${widths.join('')}</cols><sheetData>` +
    toRowXml(1, headers, STYLE.header) +
    (rows === 1 ? '' : toRowXml(2, rules, STYLE.rule, RULE_HEIGHT))
  )
}

/** Number of rows above the data: the header, and rules where a column has one. */
export const headRows = (columns: readonly WorkbookColumn[]): number =>
  columns.some(({ rule }) => rule !== undefined) ? 2 : 1

export const SHEET_TAIL = '</sheetData></worksheet>'

/** One row; text never becomes a formula. @param number from 1 */
export function toRowXml(number: number, values: readonly CellValue[], style?: number, height?: number): string {
  const cells = values.map((value, i) => toCellXml(`${columnName(i)}${number}`, value, style))
  const size = height === undefined ? '' : ` ht="${height}" customHeight="1"`
  return `<row r="${number}"${size}>${cells.join('')}</row>`
}

/**
 * True for text that a spreadsheet would take for a formula when it is typed, or read from a CSV (OWASP, CSV injection):
 * = + - @ and their full-width forms, also behind white space, and a leading tab or line break.
 */
export const isFormulaText = (text: string): boolean => /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/u.test(text)

function toCellXml(reference: string, value: CellValue, style?: number): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number' && Number.isFinite(value)) return `<c r="${reference}"><v>${value}</v></c>`
  const text = String(value)
  const textStyle = style ?? (isFormulaText(text) ? STYLE.quotedText : STYLE.text)
  return `<c r="${reference}" s="${textStyle}" t="inlineStr"><is><t xml:space="preserve">${toTextXml(text)}</t></is></c>`
}

/** Name of a column counted from 0: A, B … Z, AA … */
export const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** `_x0041_` is an escape in SpreadsheetML, so text that looks like one is escaped itself. */
const toTextXml = (text: string) => escapeXml(cut(text).replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_'))

/** Cuts at Excel's limit without leaving half a surrogate pair. */
const cut = (text: string) =>
  text.length <= WORKBOOK.cellMax ? text : text.slice(0, WORKBOOK.cellMax).replace(/[\ud800-\udbff]$/, '')

/** True if a sheet's XML has a value after row `rowsMax`, which would be dropped silently. */
export function hasValuesBeyond(xml: string, rowsMax: number): boolean {
  let row = 0
  for (const match of xml.matchAll(/<(?:\w+:)?row(\s[^<>]*)?>/g)) {
    const number = /\sr\s*=\s*["'](\d+)["']/.exec(match[1] ?? '')?.[1]
    row = number === undefined ? row + 1 : Number(number)
    if (row > rowsMax) return /<(?:\w+:)?[vt][\s>]/.test(xml.slice(match.index))
  }
  return false
}
