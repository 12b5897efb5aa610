import {
  type Counters,
  STATUS_COUNTERS,
  type StatusQuestion,
  type StatusReading,
  addCounters,
} from '#contract/kernel/status.ts'

/* Storage of the StatusHub: counters by slot of time and release, and samples of the routers that are online. */

interface SlotRow extends Record<string, SqlStorageValue> {
  release: string
  counters: string
}

export class SlotStore {
  private readonly sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS slots (
        at INTEGER NOT NULL, release TEXT NOT NULL, counters TEXT NOT NULL, PRIMARY KEY (at, release)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS samples (at INTEGER PRIMARY KEY, online INTEGER NOT NULL) STRICT`)
  }

  add(release: string, counters: Counters, now: number): void {
    const at = startOf(now)
    const [known] = this.sql
      .exec<SlotRow>('SELECT release, counters FROM slots WHERE at = ? AND release = ?', at, release)
      .toArray()
    const sum = known ? addCounters(JSON.parse(known.counters) as Counters, counters) : counters
    this.sql.exec(
      'INSERT OR REPLACE INTO slots (at, release, counters) VALUES (?, ?, ?)',
      at,
      release,
      JSON.stringify(sum),
    )
  }

  sample(online: number, now: number): void {
    this.sql.exec('INSERT OR REPLACE INTO samples (at, online) VALUES (?, ?)', now, online)
  }

  read({ from, to, onlineBefore }: StatusQuestion): StatusReading {
    const releases: Record<string, Counters> = {}
    const rows = this.sql.exec<SlotRow>(
      'SELECT release, counters FROM slots WHERE at >= ? AND at < ? ORDER BY at',
      startOf(from),
      to,
    )
    for (const { release, counters } of rows)
      releases[release] = addCounters(releases[release] ?? {}, JSON.parse(counters) as Counters)
    const [sample] = this.sql
      .exec<{ online: number }>('SELECT online FROM samples WHERE at <= ? ORDER BY at DESC LIMIT 1', onlineBefore)
      .toArray()
    return { releases, online: sample?.online ?? null }
  }

  deleteOld(now: number): void {
    for (const table of ['slots', 'samples'])
      this.sql.exec(`DELETE FROM ${table} WHERE at < ?`, startOf(now - STATUS_COUNTERS.keptMs))
  }
}

const startOf = (time: number): number => time - (time % STATUS_COUNTERS.slotMs)
