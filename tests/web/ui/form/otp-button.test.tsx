import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '#lib/call/transport.ts'
import { OtpButton } from '#ui/form/inputs/otp-button.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const button = () => screen.getByRole<HTMLButtonElement>('button')
const press = async () => {
  fireEvent.click(button())
  await act(() => vi.advanceTimersByTimeAsync(0))
}
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))

it('counts 59 seconds down and is free again', async () => {
  const send = vi.fn<() => Promise<void>>(async () => {})
  render(<OtpButton send={send} />)
  expect(button().textContent).toBe('获取验证码')
  await press()
  expect([button().textContent, button().disabled]).toEqual(['59秒后重试', true])
  await pass(58)
  expect(button().textContent).toBe('1秒后重试')
  await press()
  expect(send).toHaveBeenCalledTimes(1)
  await pass(1)
  expect([button().textContent, button().disabled]).toEqual(['获取验证码', false])
})

it('is locked while the request runs', async () => {
  const send = vi.fn<() => Promise<void>>(() => new Promise(() => {}))
  render(<OtpButton send={send} seconds={60} />)
  await press()
  await press()
  expect(send).toHaveBeenCalledTimes(1)
  expect(button().textContent).toBe('60秒后重试')
})

it.each([
  ['throws', () => Promise.reject(new ApiError(500, '验证码发送失败'))],
  ['answers false', () => Promise.resolve(false)],
])('is free at once when sending %s', async (_, send) => {
  render(<OtpButton send={send} />)
  await press()
  expect([button().textContent, button().disabled]).toEqual(['获取验证码', false])
})

it('waits for retry_after when it was pressed too soon', async () => {
  render(<OtpButton send={() => Promise.reject(new ApiError(429, '请12秒后重试', { retryAfter: 12 }))} />)
  await press()
  expect(button().textContent).toBe('12秒后重试')
})

it('uses the clock, not ticks, so that a suspended tab is right afterwards', async () => {
  render(<OtpButton send={async () => {}} />)
  await press()
  vi.setSystemTime(Date.now() + 40_000)
  await pass(1)
  expect(button().textContent).toBe('18秒后重试')
})
