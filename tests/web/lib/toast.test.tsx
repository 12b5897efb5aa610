import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ERROR_TOAST_SECONDS } from '#contract/kernel/limits.ts'
import { ToastHost } from '#lib/toast/toast-host.tsx'
import { toast } from '#lib/toast/toast.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  act(() => vi.runAllTimers())
  vi.useRealTimers()
})

it('announces errors, with the request id, for five seconds', () => {
  render(<ToastHost />)
  act(() => toast.error('系统异常', { requestId: 'r-9' }))
  expect(screen.getByRole('alert').textContent).toContain('请求编号 r-9')
  act(() => vi.advanceTimersByTime(ERROR_TOAST_SECONDS * 1000 - 1))
  expect(screen.queryByRole('alert')).not.toBeNull()
  act(() => vi.advanceTimersByTime(1))
  expect(screen.queryByRole('alert')).toBeNull()
})

it('shows equal messages once, and restarts their timer', () => {
  render(<ToastHost />)
  act(() => toast.error('系统响应超时,请稍候尝试'))
  act(() => vi.advanceTimersByTime(4_000))
  act(() => toast.error('系统响应超时,请稍候尝试'))
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  act(() => vi.advanceTimersByTime(4_000))
  expect(screen.getAllByRole('alert')).toHaveLength(1)
})

it('is rendered outside the root, which a dialog makes inert', () => {
  const { container } = render(<ToastHost />)
  act(() => toast.done('保存成功'))
  const message = screen.getByText('保存成功')
  expect(container.contains(message)).toBe(false)
  expect(message.closest('[aria-live="polite"]')).not.toBeNull()
})
