import { HANDBOOK } from '#contract/document/limits.ts'

/* Search in the handbook: words of a query, the extract around a hit, and the marking of hits. */

/** Lower case of A to Z only, like `lower()` of SQLite, so that a text keeps its length. */
const toLower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Words of a query, split at white space. A run of Chinese text is one word. */
export const toWords = (query: string): readonly string[] =>
  [...new Set(toLower(query).split(/\s+/).filter(Boolean))].slice(0, HANDBOOK.wordsMax)

/** Text around the first hit; the beginning of the text if it has no hit, as after a match of the title. */
export function toExtract(text: string, words: readonly string[]): string {
  const { before, length } = HANDBOOK.extract
  const lower = toLower(text)
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length)
  const start = first === text.length ? 0 : Math.max(0, first - before)
  const end = start + length
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

export interface MarkedPart {
  readonly text: string
  readonly isHit: boolean
}

/** Splits a text into hits and the rest, so that the text itself needs no markup. */
export function markHits(text: string, words: readonly string[]): readonly MarkedPart[] {
  const lower = toLower(text)
  const parts: MarkedPart[] = []
  let from = 0
  for (let at = 0; at < text.length;) {
    const hit = words.filter((word) => lower.startsWith(word, at)).toSorted((a, b) => b.length - a.length)[0]
    if (hit === undefined) {
      at++
      continue
    }
    if (at > from) parts.push({ text: text.slice(from, at), isHit: false })
    parts.push({ text: text.slice(at, at + hit.length), isHit: true })
    at += hit.length
    from = at
  }
  return from < text.length ? [...parts, { text: text.slice(from), isHit: false }] : parts
}
