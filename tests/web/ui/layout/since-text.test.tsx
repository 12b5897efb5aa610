import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { SinceText } from '#ui/layout/text/time-text.tsx'

afterEach(() => void vi.useRealTimers())

it('a time since counts seconds below an hour, and none above', () => {
  vi.useFakeTimers({ now: 10_000_000 })
  const shown = (ago: number) => {
    const { unmount } = render(<SinceText at={Date.now() - ago} />)
    const text = () => document.querySelector('.nl-tooltip')?.textContent
    return { text, unmount }
  }
  const fresh = shown(12_000)
  expect(fresh.text()).toBe('12 秒')
  act(() => vi.advanceTimersByTime(1_000))
  expect(fresh.text()).toBe('13 秒')
  act(() => vi.advanceTimersByTime(60_000))
  expect(fresh.text()).toBe('1 分 13 秒')
  // Another text that is already there does not hold its clock back.
  const second = shown(2_000)
  expect(screen.queryByText('2 秒')).not.toBeNull()
  second.unmount()
  fresh.unmount()
  const old = shown(3_599_000)
  expect(old.text()).toBe('59 分 59 秒')
  act(() => vi.advanceTimersByTime(31_000))
  expect(old.text()).toBe('1 小时')
})
