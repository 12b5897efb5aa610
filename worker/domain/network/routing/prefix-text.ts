import { ipNumber } from '#contract/kernel/ipv4.ts'
import { dottedText, visibleText } from '#contract/kernel/input/typed-text.ts'
import type { PrefixRow } from '#contract/network/fields.ts'
import { PREFIX } from '#contract/network/limits.ts'

/* Prefix rows (网络号) as text: writes them, and parses typed or pasted lines. */

/** Parsed rows, and lines that name no prefix, numbered from 1. */
interface ParsedText {
  readonly rows: readonly PrefixRow[]
  readonly wrong: readonly { readonly line: number; readonly text: string }[]
}

const GAP = '[\\s,，;；]'
const LINE = new RegExp(
  `^(?:(permit|deny)${GAP}+)?(\\d[\\d.]*)(?:${GAP}*/${GAP}*|${GAP}+)(\\d[\\d.]*)(?=${GAP}|#|$)(.*)$`,
  'i',
)
const WORD = new RegExp(`^${GAP}*(?:(permit|deny)|(ge|le)${GAP}*(\\d{1,3}))(?=${GAP}|#|$)`, 'i')
/** Address and mask, whose digits and dots may be full-width; a name behind them stays as it is. */
const HEAD = /^\s*(?:(?:permit|deny)\s+)?[\p{Nd}\s./．／。]+/iu
const NAME = new RegExp(`^${GAP}*(?:#\\s*)?`)

/** Rows as text, one per line: `10.0.0.0/8 deny ge 16 le 24 # name`. Default values are left out. */
export const toPrefixText = (rows: readonly PrefixRow[]): string =>
  rows
    .map(({ ip, mask, name, permission, ge, le }) =>
      [
        `${ip}/${mask}`,
        permission === 'deny' && 'deny',
        ge !== null && `ge ${ge}`,
        le !== PREFIX.leMax && `le ${le}`,
        name !== '' && `# ${name}`,
      ]
        .filter(Boolean)
        .join(' '),
    )
    .join('\n')

/** Parses this text, and text from tables or other devices: masks as addresses, commas or tabs as separators. */
export function parsePrefixText(text: string): ParsedText {
  const rows: PrefixRow[] = []
  const wrong: { line: number; text: string }[] = []
  for (const [i, raw] of text.split('\n').entries()) {
    const line = visibleText(raw)
      .replace(HEAD, (head) => dottedText(head) + (/\s$/.test(head) ? ' ' : ''))
      .trim()
    if (line === '' || line.startsWith('#')) continue
    const row = parseLine(line)
    if (row) rows.push(row)
    else wrong.push({ line: i + 1, text: line })
  }
  return { rows, wrong }
}

function parseLine(line: string): PrefixRow | null {
  const [, first, ip = '', maskText = '', tail = ''] = LINE.exec(line) ?? []
  const mask = maskLength(maskText)
  if (ip === '' || mask === null || ipNumber(ip) === null) return null
  const row = { ip, mask, permission: toPermission(first), ge: null as number | null, le: PREFIX.leMax as number }
  let rest = tail
  for (let word = WORD.exec(rest); word; word = WORD.exec(rest)) {
    const [all, permission, bound, value] = word
    if (permission !== undefined) row.permission = toPermission(permission)
    else row[bound?.toLowerCase() === 'ge' ? 'ge' : 'le'] = Number(value)
    rest = rest.slice(all.length)
  }
  return { ...row, name: rest.replace(NAME, '').trim() }
}

const toPermission = (word: string | undefined): PrefixRow['permission'] =>
  word?.toLowerCase() === 'deny' ? 'deny' : 'permit'

/** Length of a mask that is written as `16` or as `255.255.0.0`; null for other text. */
function maskLength(text: string): number | null {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const value = ipNumber(text)
  if (value === null) return null
  const length = 32 - Math.log2(2 ** 32 - value)
  return Number.isInteger(length) ? length : null
}
