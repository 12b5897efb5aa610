/* Work that runs at the same time: limited, paused, ended by a time-out. */

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Rejects where the work has not ended in time; it goes on all the same. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs `task` on every item, at most `limit` at a time; `place` is the item's among those that start together. One that
 * fails stops no other: results as of Promise.allSettled.
 */
export async function mapLimit<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T, place: number) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const results: PromiseSettledResult<R>[] = []
  for (let at = 0; at < items.length; at += limit) {
    results.push(...(await Promise.allSettled(items.slice(at, at + limit).map(task))))
  }
  return results
}
