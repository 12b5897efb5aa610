import { vi } from 'vitest'
import type { fakeApi } from './fake-api.ts'

/** Watches from now on how long each request waits for its answer; the function it returns reads that by path, in milliseconds. */
export function watchWaits() {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  return ({ paths }: Pick<ReturnType<typeof fakeApi>, 'paths'>): Record<string, number | undefined> =>
    Object.fromEntries(paths().map((path, n) => [path, timeout.mock.calls[n]?.[0]]))
}
