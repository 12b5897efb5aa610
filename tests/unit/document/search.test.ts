import { describe, expect, it } from 'vitest'
import { HANDBOOK } from '#contract/document/limits.ts'
import { markHits, toExtract, toWords } from '#domain/document/search.ts'

it.each([
  ['', []],
  ['  ', []],
  ['组网', ['组网']],
  [' POP 资源  pop ', ['pop', '资源']],
  ['a b c d e f g', ['a', 'b', 'c', 'd', 'e']],
])('words of %j', (query, words) => expect(toWords(query)).toEqual(words))

describe('the extract of a text', () => {
  const { before, length } = HANDBOOK.extract
  it.each([
    ['短文', ['文'], '短文'],
    ['短文', ['无'], '短文'],
    [
      `${'甲'.repeat(50)}目标${'乙'.repeat(200)}`,
      ['目标'],
      `…${'甲'.repeat(before)}目标${'乙'.repeat(length - before - 2)}…`,
    ],
    [`目标${'乙'.repeat(200)}`, ['目标'], `目标${'乙'.repeat(length - 2)}…`],
    [`${'甲'.repeat(50)}POP`, ['pop'], `…${'甲'.repeat(before)}POP`],
    ['乙'.repeat(200), ['无'], `${'乙'.repeat(length)}…`],
  ])('%j %j', (text, words, extract) => expect(toExtract(text, words)).toBe(extract))
})

describe('words of the query are marked', () => {
  const mark = (text: string, words: readonly string[]) =>
    markHits(text, words)
      .map((part) => (part.isHit ? `[${part.text}]` : part.text))
      .join('')
  it.each([
    ['接入POP资源', ['pop'], '接入[POP]资源'],
    ['组网组网', ['组网'], '[组网][组网]'],
    ['中心点与中心', ['中心', '中心点'], '[中心点]与[中心]'],
    ['<b>粗</b>', ['<b>'], '[<b>]粗</b>'],
    ['İPOP', ['pop'], 'İ[POP]'],
    ['正文', [], '正文'],
    ['', ['a'], ''],
  ])('%j %j', (text, words, marked) => expect(mark(text, words)).toBe(marked))
})
