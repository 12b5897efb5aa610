import type { z } from 'zod'
import { FIELD_NAMES } from './field-names.ts'

/* Sentences about invalid input: the default messages of zod issues. */

type Issue = z.core.$ZodRawIssue

/**
 * Default message of a zod issue; a field with another name than FIELD_NAMES has uses `sentenceOf`. As `customError` it
 * keeps zod's locales out of the bundle. `more`: names of fields that no console sends.
 */
export function createInputSentence(more: Readonly<Record<string, string>> = {}): (issue: Issue) => string {
  const names = { ...FIELD_NAMES, ...more }
  return (issue) => inputSentence(findName(issue, names), issue)
}

function inputSentence(name: string, issue: Issue): string {
  if (isAbsent(issue)) return `${name}不能为空`
  switch (issue.code) {
    case 'too_small':
      return tooSmall(name, issue)
    case 'too_big':
      return tooBig(name, issue)
    case 'invalid_value':
    case 'invalid_union':
      return `请选择有效的${name}`
    default:
      return `${name}格式不正确`
  }
}

/** Sentences for the `error` of a schema, for a field with another name than in FIELD_NAMES. */
export const sentenceOf = (name: string) => (issue: Issue) =>
  isAbsent(issue) ? `${name}不能为空` : `${name}格式不正确`

/** Sentence about a text, with the first character in it that is not allowed. */
export function nameCharacter(sentence: string, text: string, allowed: RegExp): string {
  const other = [...text].find((character) => !allowed.test(character))
  return other === undefined ? sentence : `${sentence}，不能包含${/\s/.test(other) ? '空格' : `“${other}”`}`
}

/**
 * Parameters of a check that allows single characters only: its sentence names the first other one. For names, notes and
 * codes whose sentence no document fixes; never for secrets, which are not repeated.
 */
export const charactersOf = (allowed: RegExp, sentence: string) => ({
  error: ({ input }: Pick<Issue, 'input'>): string => nameCharacter(sentence, String(input), allowed),
})

/** Name of the innermost field of the path that has one: rows of a list have none. */
function findName({ path }: Issue, names: Readonly<Record<string, string>>): string {
  const field = path?.findLast((key) => typeof key === 'string')
  return names[String(field)] ?? '提交的内容'
}

/** True for a missing or empty value. In a discriminated union `input` is the object and the path ends with the key. */
function isAbsent({ code, input, path, ...issue }: Issue): boolean {
  const isWhole = code === 'invalid_union' && 'discriminator' in issue && typeof input === 'object' && input !== null
  const value: unknown = isWhole ? Reflect.get(input, path?.at(-1) ?? '') : input
  return value === undefined || value === null || value === ''
}

function tooSmall(name: string, { origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (origin === 'string') return minimum === 1 ? `${name}不能为空` : `${name}不能少于${minimum}个字符`
  if (origin === 'array' || origin === 'set') return `${name}请至少选择${minimum}项`
  return inclusive === false ? `${name}必须大于${minimum}` : `${name}不能小于${minimum}`
}

function tooBig(name: string, { origin, maximum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  if (origin === 'string') return `${name}不能超过${maximum}个字符`
  if (origin === 'array' || origin === 'set') return `${name}最多选择${maximum}项`
  return inclusive === false ? `${name}必须小于${maximum}` : `${name}不能大于${maximum}`
}
