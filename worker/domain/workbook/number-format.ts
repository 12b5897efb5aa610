import { MAIN } from './package-xml.ts'
import { XML_HEAD, escapeXml, findElements } from './xml.ts'

/* Number formats of cells (ECMA-376 part 1, 18.8.30): those of a stylesheet, and the text of a date by its format. */

/** Number formats without a code in the file, where Chinese programs write them (18.8.30, zh-cn). */
const YEAR_MONTH = 'yyyy"年"m"月"'
const MONTH_DAY = 'm"月"d"日"'
const CHINESE: Readonly<Record<string, string>> = {
  27: YEAR_MONTH,
  28: MONTH_DAY,
  29: MONTH_DAY,
  30: 'm-d-yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: 'h"时"mm"分"',
  35: 'h"时"mm"分"ss"秒"',
  36: YEAR_MONTH,
  50: YEAR_MONTH,
  51: MONTH_DAY,
  52: YEAR_MONTH,
  53: MONTH_DAY,
  54: MONTH_DAY,
  55: 'h"时"mm"分"',
  56: 'h"时"mm"分"ss"秒"',
  57: YEAR_MONTH,
  58: MONTH_DAY,
}
const FIRST_OWN_ID = 164
/** SheetJS renumbers formats above 392, and loses some. */
const OWN_MAX = 200

/**
 * Stylesheet with the number formats of another one and nothing else, so that a file with thousands of styles costs little.
 * Formats beyond `OWN_MAX` count as General.
 */
export function toFormatsXml(stylesXml: string): string {
  const codes = new Map(findElements(stylesXml, 'numFmt').map((row) => [row.get('numFmtId'), row.get('formatCode')]))
  const own = new Map<string, number>()
  const toId = (id = '0'): number => {
    const code = codes.get(id) ?? CHINESE[id]
    if (code === undefined) return Number(id) < FIRST_OWN_ID ? Number(id) : 0
    if (!own.has(code) && own.size < OWN_MAX) own.set(code, FIRST_OWN_ID + own.size)
    return own.get(code) ?? 0
  }
  const xfs = findElements(cellXfsOf(stylesXml), 'xf').map((xf) => `<xf numFmtId="${toId(xf.get('numFmtId'))}"/>`)
  const numFmts = [...own].map(([code, id]) => `<numFmt numFmtId="${id}" formatCode="${escapeXml(code)}"/>`)
  return (
    `${XML_HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${numFmts.join('')}</numFmts>` +
    `<cellXfs>${xfs.join('')}</cellXfs></styleSheet>`
  )
}

function cellXfsOf(xml: string): string {
  const start = xml.search(/<(?:[\w.-]+:)?cellXfs[\s>]/)
  if (start === -1) return ''
  const rest = xml.slice(start)
  const end = rest.search(/<\/(?:[\w.-]+:)?cellXfs\s*>/)
  return end === -1 ? rest : rest.slice(0, end)
}

const ELAPSED = /\[(h+|m+|s+)\]/i
/** Parts of a code that stand for themselves, and names of noon. */
const LITERAL = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|am\/pm|a\/p|上午\/下午/gi

/**
 * Format in which a date is taken over, for the code of its cell: the parts that the program shows. Chinese formats stay;
 * others become ISO 8601, because programs show them by the language of the machine.
 */
export function toDateFormat(code: string): string {
  const [section = code] = code.split(';')
  if (ELAPSED.test(section) || /[年月日时時]/.test(section)) return section
  const fields = section.replace(LITERAL, '').toLowerCase()
  const hasTime = /[hs]/.test(fields)
  const hasDay = /[ydeg]/.test(fields) || (fields.includes('m') && !hasTime)
  return [hasDay && 'yyyy-mm-dd', hasTime && 'hh:mm:ss'].filter(Boolean).join(' ')
}
