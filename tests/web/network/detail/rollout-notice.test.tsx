import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RolloutNotice } from '#pages/network/detail/progress-notices.tsx'
import { member } from '../member.ts'

const start = { kind: 'saved', versions: { c1: 1, p1: 1 } } as const
const onClose = vi.fn<() => void>()
const show = (c1: 'applied' | 'pushing', p1: 'applied' | 'queued' | 'failed') => (
  <RolloutNotice
    start={start}
    members={[member('c1', { version: 2, config: c1 }), member('p1', { version: 2, config: p1 })]}
    onClose={onClose}
  />
)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  onClose.mockReset()
})

it('ends with what is left for offline devices, once the online ones have applied it', () => {
  const { rerender } = render(show('pushing', 'queued'))
  act(() => vi.advanceTimersByTime(60_000))
  expect(onClose).not.toHaveBeenCalled()
  rerender(show('applied', 'queued'))
  expect(screen.getByRole('status').textContent).toContain('已保存，已生效 1 · 1 台离线，上线后自动下发')
  act(() => vi.advanceTimersByTime(10_000))
  expect(onClose).toHaveBeenCalledTimes(1)
})

it('stays while a failure waits for a person', () => {
  render(show('applied', 'failed'))
  act(() => vi.advanceTimersByTime(60_000))
  expect(onClose).not.toHaveBeenCalled()
})
