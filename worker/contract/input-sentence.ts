import type { z } from 'zod'

/** Default validation message of a zod issue. Set as `customError`, it keeps zod's locales out of the bundle. */
export function inputSentence(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? '必填项不能为空' : '填写的内容格式不正确'
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_value':
    case 'invalid_union':
      return issue.input === undefined ? '必填项不能为空' : '请选择有效的选项'
    default:
      return '填写的内容格式不正确'
  }
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (origin === 'string') return minimum === 1 ? '必填项不能为空' : `不能少于${minimum}个字符`
  if (origin === 'array' || origin === 'set') return `请至少选择${minimum}项`
  return inclusive === false ? `必须大于${minimum}` : `不能小于${minimum}`
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  if (origin === 'string') return `不能超过${maximum}个字符`
  if (origin === 'array' || origin === 'set') return `最多选择${maximum}项`
  return inclusive === false ? `必须小于${maximum}` : `不能大于${maximum}`
}
