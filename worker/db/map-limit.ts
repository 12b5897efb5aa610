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
