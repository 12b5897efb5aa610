import { expect, it } from 'vitest'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { closeReason, connectionReason } from '#domain/logs/close-reason.ts'

it('every close code of a device connection has its words, and an unknown one names no number', () => {
  const codes = [1000, 1001, 1005, 1006, ...Object.values(CLOSE).filter((code) => code !== CLOSE.sessionEnded)]
  for (const code of codes.filter((code) => code !== 1006)) expect([code, closeReason(code)]).not.toContain('连接中断')
  for (const code of [...codes, 4999]) expect(closeReason(code)).not.toMatch(/\d/)
})

it('a reason that an earlier release stored as a code is shown in words', () => {
  expect(connectionReason('连接关闭（4005）')).toBe('连接长时间没有数据')
  expect(connectionReason('连接关闭（1012）')).toBe('服务端重启')
  expect(connectionReason('超过75秒没有心跳')).toBe('超过75秒没有心跳')
  expect(connectionReason('')).toBe('')
})
