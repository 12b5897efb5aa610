import { afterEach, vi } from 'vitest'

/** Setup file: after each test the clock runs again, and what it has spied on is as before. */
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
