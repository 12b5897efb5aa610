import type { HubLink, HubMember, HubProjection } from './projection.ts'

/* Storage of the network hub: frame number, revision of the rows, time of lease checks, and the projection. */

type Kv = Pick<DurableObjectStorage, 'kv'>

/** Number of the newest frame to viewers. */
export const loadSeq = ({ kv }: Kv): number => kv.get<number>('seq') ?? 0
export const saveSeq = ({ kv }: Kv, seq: number): void => kv.put('seq', seq)

/** Revision of the rows that the projection was read from; undefined before the first read. */
export const loadRevision = ({ kv }: Kv): number | undefined => kv.get<number>('revision')
export const saveRevision = ({ kv }: Kv, revision: number): void => kv.put('revision', revision)

/** The network's number, which its row keeps; undefined before the first read. */
export const loadNumber = ({ kv }: Kv): string | undefined => kv.get<string>('number')
export const saveNumber = ({ kv }: Kv, number: string): void => kv.put('number', number)

/** True if the network was withdrawn from all documents when its rows were read. */
export const loadWithdrawn = ({ kv }: Kv): boolean => kv.get<boolean>('isWithdrawn') ?? false
export const saveWithdrawn = ({ kv }: Kv, isWithdrawn: boolean): void => kv.put('isWithdrawn', isWithdrawn)

/** Time at which the members' leases were checked last. */
export const loadCheckedAt = ({ kv }: Kv): number => kv.get<number>('checkedAt') ?? 0
export const saveCheckedAt = ({ kv }: Kv, at: number): void => kv.put('checkedAt', at)

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
