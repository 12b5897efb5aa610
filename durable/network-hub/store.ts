import { driverOf, openDb } from '../../worker/db/client.ts'
import { configOf, presenceOf } from '../../worker/domain/router/presence.ts'
import { networkRows } from '../../worker/features/live/queries.ts'
import type { Link, Member, Projection } from './projection.ts'

export interface NetworkFacts {
  readonly accountId: number
  readonly number: string
  readonly name: string
}

/** The network's members as the database has them; null when the network is gone. */
export async function readNetwork(
  env: Env,
  networkId: number,
): Promise<{ network: NetworkFacts; members: Member[] } | null> {
  const { network, members } = await networkRows(openDb(driverOf(env)), networkId)
  if (!network) return null
  return {
    network,
    members: members.map((row) => ({
      router_id: row.routerId,
      router_name: row.routerName,
      router_type: row.routerType === 2 ? 2 : 1,
      member_type: row.memberType,
      presence: presenceOf(row.state),
      config: configOf(row.state),
    })),
  }
}

/** The projection in the hub's own SQLite, a row for each member and link, so that a change writes only what moved. */
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

  load(): Projection {
    return { members: new Map(this.rows<Member>('member')), links: new Map(this.rows<Link>('link')) }
  }

  private rows<T>(kind: string): [string, T][] {
    return this.sql
      .exec<{ key: string; body: string }>('SELECT key, body FROM projection WHERE kind = ? ORDER BY place', kind)
      .toArray()
      .map(({ key, body }) => [key, JSON.parse(body) as T])
  }

  save(before: Projection, after: Projection): void {
    this.saveKind('member', before.members, after.members)
    this.saveKind('link', before.links, after.links)
  }

  private saveKind<T>(kind: string, before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): void {
    if (before === after) return
    for (const key of before.keys()) {
      if (!after.has(key)) this.sql.exec('DELETE FROM projection WHERE kind = ? AND key = ?', kind, key)
    }
    let place = 0
    for (const [key, item] of after) {
      place += 1
      if (before.get(key) === item) continue
      const write = 'INSERT OR REPLACE INTO projection (kind, key, place, body) VALUES (?, ?, ?, ?)'
      this.sql.exec(write, kind, key, place, JSON.stringify(item))
    }
  }
}
