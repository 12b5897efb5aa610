import type { LinksReport, HubProjection } from './projection.ts'

/* Link reports that arrived before the rows that name their links: kept until a read knows these. */

type Report = LinksReport['links'][number]
type KeptReport = Pick<LinksReport, 'routerHub' | 'routerName'> & { readonly link: Report }

/** Bounds the reports that no rows ever name. */
const KEPT_MAX = 5_000
/** Gap between two looks for newer rows, for links that the newest look has not found: a lost refresh heals by itself. */
const LOOK_AGAIN_MS = 60_000

const keyOf = (routerName: string, id: string): string => `${routerName} ${id}`

export class EarlyReports {
  private readonly sql: SqlStorage
  private readonly kept: Map<string, KeptReport>
  private lookedAt = -Infinity

  constructor(sql: SqlStorage) {
    this.sql = sql
    sql.exec(
      'CREATE TABLE IF NOT EXISTS early_reports (key TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID',
    )
    const rows = sql.exec<{ key: string; body: string }>('SELECT key, body FROM early_reports').toArray()
    this.kept = new Map(rows.map(({ key, body }) => [key, JSON.parse(body) as KeptReport]))
  }

  /** True if newer rows may name one of these links. Links that the newest look has not found are looked for once a minute. */
  isLookDue({ routerName }: LinksReport, unknown: readonly Report[], now: number): boolean {
    if (unknown.length === 0) return false
    return now - this.lookedAt >= LOOK_AGAIN_MS || unknown.some(({ id }) => !this.kept.has(keyOf(routerName, id)))
  }

  /** Rows that are as new as the report have been read. */
  looked(now: number): void {
    this.lookedAt = now
  }

  keep({ routerHub, routerName }: LinksReport, unknown: readonly Report[]): void {
    for (const link of unknown) {
      const key = keyOf(routerName, link.id)
      if (this.kept.size >= KEPT_MAX && !this.kept.has(key)) return
      const report = { routerHub, routerName, link }
      this.kept.set(key, report)
      this.sql.exec('INSERT OR REPLACE INTO early_reports (key, body) VALUES (?, ?)', key, JSON.stringify(report))
    }
  }

  /** Drops the reports of a member that has disconnected: it reports all links again. */
  forget(routerName: string): void {
    for (const [key, report] of this.kept) if (report.routerName === routerName) this.drop(key)
  }

  /** Takes out the reports of links that the projection has. */
  take({ members, links }: HubProjection): readonly LinksReport[] {
    const found = [...this.kept].filter(
      ([, { routerHub, routerName, link }]) => links.has(link.id) && members.get(routerName)?.router_hub === routerHub,
    )
    for (const [key] of found) this.drop(key)
    return found.map(([, { routerHub, routerName, link }]) => ({ routerHub, routerName, links: [link] }))
  }

  private drop(key: string): void {
    this.kept.delete(key)
    this.sql.exec('DELETE FROM early_reports WHERE key = ?', key)
  }
}
