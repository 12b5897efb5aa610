/* Helpers for asynchronous work: pause, time-out, and a limit of tasks that run at the same time. */

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Rejects with the error of `toLate` if the work has not ended in time, then calls `end`. The work itself goes on. */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  toLate: () => Error = () => new Error(`no answer within ${ms} ms`),
  end?: () => void,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(toLate())
      end?.()
    }, ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs `task` on every item, at most `limit` at a time. `place` is the item's place among those that start together. A
 * failed task stops no other; the results are those of Promise.allSettled.
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
