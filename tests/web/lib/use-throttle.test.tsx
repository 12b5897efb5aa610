import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useThrottle } from '#lib/use-throttle.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function createThrottle() {
  const runs: string[] = []
  const view = renderHook(({ name }) => useThrottle(() => runs.push(name), 1_000), { initialProps: { name: 'first' } })
  return { runs, ...view }
}

it('runs once for all calls of an interval, as the page is by then', () => {
  const { runs, result, rerender } = createThrottle()
  result.current()
  result.current()
  rerender({ name: 'second' })
  vi.advanceTimersByTime(1_000)
  expect(runs).toEqual(['second'])
  result.current()
  vi.advanceTimersByTime(1_000)
  expect(runs).toEqual(['second', 'second'])
})

it('runs no more once the page is gone', () => {
  const { runs, result, unmount } = createThrottle()
  result.current()
  unmount()
  vi.advanceTimersByTime(1_000)
  expect(runs).toEqual([])
})
