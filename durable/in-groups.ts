const AT_ONCE = 20

/** Asks other hubs, some at a time; one that fails stops no other. */
export async function inGroups<T>(items: readonly T[], ask: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    await Promise.allSettled(items.slice(at, at + AT_ONCE).map(ask))
  }
}
