import type { Viewer } from '#contract/kernel/hubs.ts'
import type { KvStorage } from '#durable/async.ts'

/* Unread counts of the persons at the consoles of an account. */

/** Person whose unread messages are counted. */
export type Watcher = Pick<Viewer, 'person' | 'grants'>

const keyOf = ({ person, grants }: Watcher): string => JSON.stringify([person, grants.networks])

const UNREAD_KEY = 'unread'

/**
 * Unread counts of the watching persons, stored: each reads and deletes separately, and roles see different networks.
 */
export class UnreadCounts {
  private readonly storage: KvStorage
  /** Null before the first use since the hub woke. */
  private cached: ReadonlyMap<string, number> | null = null
  private wasRead = false
  /** Viewers that connect: they have no socket yet. */
  private readonly joining = new Map<string, Watcher>()

  constructor(storage: KvStorage) {
    this.storage = storage
  }

  /** True once they were read since the hub woke. */
  get isRead(): boolean {
    return this.wasRead
  }

  join(viewer: Watcher): void {
    this.joining.set(keyOf(viewer), viewer)
  }

  has(viewer: Watcher): boolean {
    return this.counts().has(keyOf(viewer))
  }

  /** Persons whose messages have to be counted, each once. */
  watchers(open: readonly Watcher[]): readonly Watcher[] {
    return [...new Map([...this.joining, ...open.map((viewer) => [keyOf(viewer), viewer] as const)]).values()]
  }

  /**
   * True if a known count has changed.
   * @param keepOthers counts of persons that are not watching now remain current
   */
  save(watchers: readonly Watcher[], counts: readonly number[], keepOthers: boolean): boolean {
    const before = this.counts()
    const fresh = watchers.map((watcher, i) => [keyOf(watcher), counts[i] ?? 0] as const)
    const after = new Map([...(keepOthers ? before : []), ...fresh])
    this.wasRead = true
    this.cached = after
    if (!isSame(before, after)) this.storage.kv.put(UNREAD_KEY, [...after])
    return fresh.some(([key, count]) => (before.get(key) ?? count) !== count)
  }

  /** Unread count for a viewer whose socket is open. */
  of(viewer: Watcher): number {
    const key = keyOf(viewer)
    this.joining.delete(key)
    return this.counts().get(key) ?? 0
  }

  clear(): void {
    this.cached = null
    this.wasRead = false
    this.joining.clear()
  }

  private counts(): ReadonlyMap<string, number> {
    return (this.cached ??= new Map(this.storage.kv.get<[string, number][]>(UNREAD_KEY)))
  }
}

const isSame = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean =>
  one.size === other.size && [...one].every(([key, count]) => other.get(key) === count)
