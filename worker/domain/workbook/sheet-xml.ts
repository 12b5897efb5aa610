import { WORKBOOK } from '#contract/kernel/limits.ts'

/** SpreadsheetML (ECMA-376 part 1, 18.3) of one sheet of plain cells, written piece by piece. */

export type CellValue = string | number | null

export interface WorkbookColumn {
  readonly header: string
  /** In characters of the default font. */
  readonly width?: number
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const WIDTH = 16
const TEXT_FORMAT = 49 // '@'

/** Indexes into cellXfs of the styles below. A quoted text remains text when its cell is edited. */
const STYLE = { text: 1, quotedText: 2, header: 3 } as const
const xf = (font: number, more: string) =>
  `<xf numFmtId="${TEXT_FORMAT}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${more}/>`

const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  `${xf(0, '')}${xf(0, ' quotePrefix="1"')}${xf(1, ' applyFont="1"')}</cellXfs></styleSheet>`

export const SHEET_PART = 'xl/worksheets/sheet1.xml'

/** Every part but the sheet itself, by name. */
export const workbookParts = (sheetName: string): readonly (readonly [name: string, xml: string])[] => [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/>` +
      `<Override PartName="/${SHEET_PART}" ContentType="${SHEET_TYPE}.worksheet+xml"/></Types>`,
  ],
  ['_rels/.rels', relationships(['officeDocument', 'xl/workbook.xml'])],
  [
    'xl/workbook.xml',
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
      `<sheet name="${escapeXml(toSheetName(sheetName))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  ['xl/_rels/workbook.xml.rels', relationships(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml'])],
  ['xl/styles.xml', STYLES],
]

function relationships(...targets: readonly (readonly [type: string, target: string])[]): string {
  const rows = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${rows.join('')}</Relationships>`
}

/** Excel takes 31 characters and none of []:*?/\ for the name of a sheet. */
const toSheetName = (name: string) => name.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31)

/** The sheet up to its first row of data: widths, a frozen header. */
export function toSheetHeadXml(columns: readonly WorkbookColumn[]): string {
  const widths = columns.map(
    ({ width = WIDTH }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  )
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>` +
    toRowXml(
      1,
      columns.map(({ header }) => header),
      STYLE.header,
    )
  )
}

export const SHEET_TAIL = '</sheetData></worksheet>'

/** One row; text never becomes a formula. @param number from 1 */
export function toRowXml(number: number, values: readonly CellValue[], style?: number): string {
  const cells = values.map((value, i) => toCellXml(`${columnName(i)}${number}`, value, style))
  return `<row r="${number}">${cells.join('')}</row>`
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
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** `_x0041_` is an escape in SpreadsheetML, so text that looks like one is escaped itself. */
const toTextXml = (text: string) => escapeXml(cut(text).replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_'))

/** Cuts at Excel's limit without leaving half a surrogate pair. */
const cut = (text: string) =>
  text.length <= WORKBOOK.cellMax ? text : text.slice(0, WORKBOOK.cellMax).replace(/[\ud800-\udbff]$/, '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Characters that XML 1.0 cannot hold at all are left out. */
function escapeXml(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are the ones to leave out
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  return allowed.replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? '')
}

/** True if a sheet's XML has a value after row `rowsMax`, which would be dropped silently. */
export function hasValuesBeyond(xml: string, rowsMax: number): boolean {
  let row = 0
  for (const match of xml.matchAll(/<(?:\w+:)?row(\s[^>]*)?>/g)) {
    const number = / r=["'](\d+)["']/.exec(match[1] ?? '')?.[1]
    row = number === undefined ? row + 1 : Number(number)
    if (row > rowsMax) return /<(?:\w+:)?[vt][\s>]/.test(xml.slice(match.index))
  }
  return false
}
