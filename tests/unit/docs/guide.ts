import { readFileSync } from 'node:fs'

/* Parser of the operator's guides: sections, blocks of commands and of files, code in the text, and marks with their tables. */

export interface Block {
  readonly document: string
  /** Line of its first line of text, from 1. */
  readonly line: number
  /** `sh`, `diff`, `json`, `nginx`. */
  readonly language: string
  /** File that it changes or is; `device` for commands that run on a router. */
  readonly target: string
  readonly text: string
  /** Headings that it stands below, the outer one first. */
  readonly headings: readonly string[]
  /** Paragraph before it. */
  readonly before: string
}

export interface CodeSpan {
  readonly document: string
  readonly line: number
  readonly text: string
  readonly headings: readonly string[]
}

export interface Guide {
  readonly name: string
  readonly text: string
  readonly headings: readonly string[]
  readonly blocks: readonly Block[]
  readonly spans: readonly CodeSpan[]
  /** Marks that its tables explain, with the text of the row. */
  readonly marks: ReadonlyMap<string, string>
}

const FENCE = /^```(\w*) ?(.*)$/
const HEADING = /^(#+) (.+)$/

export const readGuide = (name: string): Guide => parseGuide(name, readFileSync(`infra/docs/${name}`, 'utf8'))

export function parseGuide(name: string, text: string): Guide {
  const [blocks, spans]: [Block[], CodeSpan[]] = [[], []]
  const marks = new Map<string, string>()
  const [all, open]: [string[], string[]] = [[], []]
  let before = ''
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const [, level, title] = HEADING.exec(line) ?? []
    if (level !== undefined && title !== undefined) {
      all.push(title)
      open.splice(level.length - 1, open.length, title)
    }
    const headings = [...open]
    const [, language, target] = FENCE.exec(line) ?? []
    if (language !== undefined && target !== undefined) {
      const end = lines.indexOf('```', i + 1)
      const inside = lines.slice(i + 1, end).join('\n')
      blocks.push({ document: name, line: i + 2, language, target, text: inside, headings, before })
      i = end
      continue
    }
    if (line !== '') before = line
    spans.push(...spansOf(line).map((span) => ({ document: name, line: i + 1, text: span, headings })))
    const [, cell = '', rest = ''] = /^\| (`<[^|]+) \| (.+) \|$/.exec(line) ?? []
    for (const mark of marksOf(cell)) marks.set(mark, rest)
  }
  return { name, text, headings: all, blocks, spans, marks }
}

const spansOf = (line: string): readonly string[] => [...line.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)

const MARK = /<([A-Z][A-Z_]*)>/g

/** Names of the marks in a text, each once. */
export const marksOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(MARK)].map(([, name = '']) => name)),
]

/** Replaces marks by their values; throws for one without. */
export const fillMarks = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(MARK, (mark, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${mark} has no value`)
    return value
  })

/** Anchor of a heading, as the pages of repositories make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Text after a block of `-` and `+` lines; throws where its other lines do not stand exactly once. */
export function applyDiff(text: string, diff: string): string {
  const lines = diff.split('\n')
  const sideOf = (sign: string) =>
    lines.filter((line) => !line.startsWith(sign)).map((line) => line.replace(/^[ +-]/, ''))
  const [before, after] = [sideOf('+').join('\n'), sideOf('-').join('\n')]
  const found = `\n${text}\n`.split(`\n${before}\n`).length - 1
  if (found !== 1) throw new Error(`these lines stand ${found} times, not once:\n${before}`)
  return `\n${text}\n`.replace(`\n${before}\n`, () => `\n${after}\n`).slice(1, -1)
}
