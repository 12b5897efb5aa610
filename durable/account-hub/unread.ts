import type { Viewer } from '#contract/kernel/hubs.ts'

/** Person whose unread messages are counted. */
export type Watcher = Pick<Viewer, 'person' | 'grants'>

const keyOf = ({ person, grants }: Watcher): string => JSON.stringify([person, grants.networks])

/** Unread messages of everybody who watches: people read and delete for themselves, and roles see different networks. */
export class UnreadCounts {
  private counts: ReadonlyMap<string, number> | null = null
  /** Viewers that connect: they have no socket yet. */
  private readonly joining = new Map<string, Watcher>()

  get isRead(): boolean {
    return this.counts !== null
  }

  join(viewer: Watcher): void {
    this.joining.set(keyOf(viewer), viewer)
  }

  /** Persons whose messages are to be counted, each once. */
  watchers(open: readonly Watcher[]): readonly Watcher[] {
    return [...new Map([...this.joining, ...open.map((viewer) => [keyOf(viewer), viewer] as const)]).values()]
  }

  /** Answers whether a count that was known has changed. */
  save(watchers: readonly Watcher[], counts: readonly number[]): boolean {
    const before = this.counts ?? new Map<string, number>()
    const after = new Map(watchers.map((watcher, i) => [keyOf(watcher), counts[i] ?? 0] as const))
    this.counts = after
    return [...after].some(([key, count]) => (before.get(key) ?? count) !== count)
  }

  /** Unread count for a viewer whose socket is open. */
  of(viewer: Watcher): number {
    const key = keyOf(viewer)
    this.joining.delete(key)
    return this.counts?.get(key) ?? 0
  }

  clear(): void {
    this.counts = null
    this.joining.clear()
  }
}
