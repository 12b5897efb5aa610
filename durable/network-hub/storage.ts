import type { HubLink, HubMember, HubProjection } from './projection.ts'

/* Storage of the network hub: frame number, revision of the rows, state of lease checks, and the projection. */

type Kv = Pick<DurableObjectStorage, 'kv'>

/** Values of the hub, each under its own key; undefined before they are saved first. */
interface NetworkValues {
  /** Number of the newest frame to viewers. */
  readonly seq: number
  /** Revision of the rows that the projection was read from. */
  readonly revision: number
  readonly number: string
  /** True if the network was withdrawn from all documents when its rows were read. */
  readonly isWithdrawn: boolean
  /** True if its members preferred POP nodes. */
  readonly isPopFirst: boolean
  /** Time at which the last round of lease checks began. */
  readonly checkedAt: number
  /** Name of the member whose lease was checked last in its turn. */
  readonly leaseAskedLast: string
  /** Names of the members on the pages that are shown, the newest page first. */
  readonly visible: readonly string[]
}

export const load = <K extends keyof NetworkValues>({ kv }: Kv, key: K): NetworkValues[K] | undefined => kv.get(key)

export function save({ kv }: Kv, values: Partial<NetworkValues>): void {
  for (const [key, value] of Object.entries(values)) kv.put(key, value)
}

/** The projection in the hub's own SQLite, a row for each member and link, so that a change writes only changed rows. */
export class ProjectionStore {
  private readonly sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.sql = sql
    sql.exec(
      `CREATE TABLE IF NOT EXISTS projection (
        kind TEXT NOT NULL, key TEXT NOT NULL, place INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, key)
      ) STRICT, WITHOUT ROWID`,
    )
  }

  load(): HubProjection {
    return { members: new Map(this.rows<HubMember>('member')), links: new Map(this.rows<HubLink>('link')) }
  }

  private rows<T>(kind: string): [string, T][] {
    return this.sql
      .exec<{ key: string; body: string }>('SELECT key, body FROM projection WHERE kind = ? ORDER BY place', kind)
      .toArray()
      .map(({ key, body }) => [key, JSON.parse(body) as T])
  }

  save(before: HubProjection, after: HubProjection): void {
    this.saveKind('member', before.members, after.members)
    this.saveKind('link', before.links, after.links)
  }

  private saveKind<T>(kind: string, before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): void {
    if (before === after) return
    for (const key of before.keys()) {
      if (!after.has(key)) this.sql.exec('DELETE FROM projection WHERE kind = ? AND key = ?', kind, key)
    }
    const places = [...before.keys()]
    let place = 0
    for (const [key, item] of after) {
      place += 1
      if (before.get(key) === item && places[place - 1] === key) continue
      const write = 'INSERT OR REPLACE INTO projection (kind, key, place, body) VALUES (?, ?, ?, ?)'
      this.sql.exec(write, kind, key, place, JSON.stringify(item))
    }
  }
}
