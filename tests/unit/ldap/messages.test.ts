import { expect, it } from 'vitest'
import { failedMessage, countsText, failedText } from '#domain/ldap/messages.ts'
import { NO_COUNTS } from '#domain/ldap/run.ts'

const WRITTEN = { ...NO_COUNTS, added: 100, disabled: 1 }

it('names what is not 0', () => {
  expect(countsText({ ...WRITTEN, conflicts: 2 }, ['disabled', 'added'])).toBe('新增 100，停用 1')
})

it('a run that failed midway changed members, and says which', () => {
  expect(failedText(NO_COUNTS)).toBe('成员未作改动')
  expect(failedText({ ...NO_COUNTS, conflicts: 3, removable: 1 })).toBe('成员未作改动')
  expect(failedText(WRITTEN)).toBe('已新增 100，停用 1，其余成员未作改动，可在同步记录中撤销')
})

it('the message of failures in a row speaks of the newest', () => {
  expect(failedMessage('r', '目录服务器繁忙，请稍后重试', NO_COUNTS).content).toBe(
    '目录服务器繁忙，请稍后重试。最近一次同步：成员未作改动。请在“LDAP接入”中检查配置。',
  )
  expect(failedMessage('r', '同步超时', WRITTEN).content).toContain('最近一次同步：已新增 100，停用 1，')
})
