import type { HealthAnswer, HealthQuestion, HubName, NetworkHealthReport, StateMove } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { MemberPaths, NetworkSummary } from '#contract/kernel/health.ts'
import { PRESENCE_STATES, type PresenceState } from '#contract/kernel/protocol.ts'

/* Health data of an account: member transitions of 48 hours, network summaries, settings that devices do not carry. */

/** Interval between two deletions of old transitions. */
const PRUNE_INTERVAL_MS = 60_000

type StoredMove = HealthAnswer['transitions'][number]

interface DeviceSettings {
  readonly missing: readonly string[]
  readonly unsupported: readonly string[]
}

const MOVES_TABLES = ['transitions', 'client_transitions'] as const
type MovesTable = (typeof MOVES_TABLES)[number]
/** SELECT of transitions of devices and software members; the values of the condition are bound once per table. */
const selectMoves = (condition: string): string =>
  MOVES_TABLES.map(
    (table) => `SELECT hub AS routerHub, source AS "from", target AS "to", at, reason FROM ${table} WHERE ${condition}`,
  ).join(' UNION ALL ')

type SettingsTable = 'missing_settings' | 'unsupported_settings'

export const NO_SETTINGS: DeviceSettings = { missing: [], unsupported: [] }

export class HealthStore {
  private readonly sql: SqlStorage
  private prunedAt = 0

  constructor(sql: SqlStorage) {
    this.sql = sql
    for (const table of MOVES_TABLES)
      sql.exec(`
        CREATE TABLE IF NOT EXISTS ${table} (
          at INTEGER NOT NULL, hub TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, reason TEXT NOT NULL,
          PRIMARY KEY (at, hub, target)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS ${table}_by_hub ON ${table} (hub, at);`)
    sql.exec(`
      CREATE TABLE IF NOT EXISTS network_health (
        hub TEXT PRIMARY KEY, number TEXT NOT NULL, revision INTEGER NOT NULL, seq INTEGER NOT NULL, summary TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS unsupported_settings (hub TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS missing_settings (hub TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS network_paths (hub TEXT PRIMARY KEY, paths TEXT NOT NULL) STRICT, WITHOUT ROWID;`)
  }

  /** Stores device transitions and returns those that are new, oldest first: a repeated one adds nothing. */
  addMoves(hub: HubName, moves: readonly StateMove[], now: number): readonly StateMove[] {
    return this.insertMoves('transitions', hub, moves, now)
  }

  /** A router has another hub: its transitions are under the new name. The new hub reports the settings itself. */
  rename(from: HubName, to: HubName): void {
    this.sql.exec('UPDATE OR IGNORE transitions SET hub = ? WHERE hub = ?', to, from)
    this.sql.exec('DELETE FROM transitions WHERE hub = ?', from)
  }

  /** Target of the newest transition of a device; undefined without one. */
  lastState(hub: HubName): PresenceState | undefined {
    const newest = 'SELECT target FROM transitions WHERE hub = ? ORDER BY at DESC LIMIT 1'
    return this.sql.exec<{ target: PresenceState }>(newest, hub).toArray()[0]?.target
  }

  /** Stores transitions of software members in their own table: frequent dials do not displace those of devices. */
  addClientMoves(hub: HubName, moves: readonly StateMove[], now: number): void {
    this.insertMoves('client_transitions', hub, moves, now)
  }

  private insertMoves(table: MovesTable, hub: HubName, moves: readonly StateMove[], now: number): readonly StateMove[] {
    const write = `INSERT OR IGNORE INTO ${table} (at, hub, source, target, reason) VALUES (?, ?, ?, ?, ?)`
    const fresh = moves.filter(
      ({ at, from, to, reason }) => this.sql.exec(write, at, hub, from, to, reason).rowsWritten > 0,
    )
    if (now - this.prunedAt >= PRUNE_INTERVAL_MS) {
      this.prunedAt = now
      for (const each of MOVES_TABLES) this.prune(each, now)
    }
    return fresh.toSorted((a, b) => a.at - b.at)
  }

  private prune(table: MovesTable, now: number): void {
    this.sql.exec(`DELETE FROM ${table} WHERE at <= ?`, now - HEALTH.transitionsMs)
    this.sql.exec(
      `DELETE FROM ${table} WHERE at <= (
        SELECT at FROM ${table} ORDER BY at DESC LIMIT 1 OFFSET ${HEALTH.transitionsMax})`,
    )
  }

  movesSince(since: number, now: number): StoredMove[] {
    const from = Math.max(since, now - HEALTH.transitionsMs)
    return this.readMoves(`${selectMoves('at > ?')} ORDER BY at DESC`, from, from)
  }

  routerMoves(hub: HubName, now: number): StateMove[] {
    const since = now - HEALTH.transitionsMs
    const query = `${selectMoves('hub = ? AND at > ?')} ORDER BY at DESC LIMIT ${HEALTH.eventsShown}`
    return this.readMoves(query, hub, since, hub, since).map(({ from, to, at, reason }) => ({ from, to, at, reason }))
  }

  private readMoves(query: string, ...values: SqlStorageValue[]): StoredMove[] {
    return this.sql.exec<Record<string, SqlStorageValue> & StoredMove>(query, ...values).toArray()
  }

  /** Settings that a device does not carry, and those of them that its document uses. */
  saveSettings(hub: HubName, { missing, unsupported }: DeviceSettings): void {
    this.saveKeys('missing_settings', hub, missing)
    this.saveKeys('unsupported_settings', hub, unsupported)
  }

  /** Most devices miss no settings and have no row. */
  private saveKeys(table: SettingsTable, hub: HubName, settings: readonly string[]): void {
    const [known] = this.sql.exec(`SELECT settings FROM ${table} WHERE hub = ?`, hub).toArray()
    const text = settings.length === 0 ? undefined : JSON.stringify(settings)
    if (known?.['settings'] === text) return
    if (text !== undefined) this.sql.exec(`INSERT OR REPLACE INTO ${table} (hub, settings) VALUES (?, ?)`, hub, text)
    else this.sql.exec(`DELETE FROM ${table} WHERE hub = ?`, hub)
  }

  missing = (): Record<HubName, readonly string[]> => this.keysOf('missing_settings')
  unsupported = (): Record<HubName, readonly string[]> => this.keysOf('unsupported_settings')

  private keysOf(table: SettingsTable): Record<HubName, readonly string[]> {
    const rows = this.sql.exec<{ hub: string; settings: string }>(`SELECT hub, settings FROM ${table}`)
    return Object.fromEntries(rows.toArray().map(({ hub, settings }) => [hub, JSON.parse(settings) as string[]]))
  }

  /** False if a newer report is known. */
  saveReport(hub: HubName, { number, revision, seq, summary, paths }: NetworkHealthReport): boolean {
    const [known] = this.sql.exec<{ seq: number }>('SELECT seq FROM network_health WHERE hub = ?', hub).toArray()
    if (known !== undefined && known.seq >= seq) return false
    const write = 'INSERT OR REPLACE INTO network_health (hub, number, revision, seq, summary) VALUES (?, ?, ?, ?, ?)'
    this.sql.exec(write, hub, number, revision, seq, JSON.stringify(summary))
    // Paths have their own table, because summaries are read without them. A hub of an earlier release sends none.
    const writePaths = 'INSERT OR REPLACE INTO network_paths (hub, paths) VALUES (?, ?)'
    if ((paths as typeof paths | undefined) !== undefined) this.sql.exec(writePaths, hub, JSON.stringify(paths))
    return true
  }

  summaries(): readonly { readonly number: string; readonly summary: NetworkSummary }[] {
    const rows = this.sql
      .exec<{ number: string; summary: string }>('SELECT number, summary FROM network_health')
      .toArray()
    return rows.map(({ number, summary }) => ({ number, summary: JSON.parse(summary) as NetworkSummary }))
  }

  numberOf(hub: HubName): string | undefined {
    const [row] = this.sql.exec<{ number: string }>('SELECT number FROM network_health WHERE hub = ?', hub).toArray()
    return row?.number
  }

  deleteReport(hub: HubName): void {
    this.sql.exec('DELETE FROM network_health WHERE hub = ?', hub)
    this.sql.exec('DELETE FROM network_paths WHERE hub = ?', hub)
  }

  /** Deletes the summaries of all other networks and returns their numbers. */
  keepReports(hubs: readonly HubName[]): readonly string[] {
    const known = this.sql.exec<{ hub: string; number: string }>('SELECT hub, number FROM network_health').toArray()
    const kept = new Set(hubs)
    const gone = known.filter(({ hub }) => !kept.has(hub))
    for (const { hub } of gone) this.deleteReport(hub)
    return gone.map(({ number }) => number)
  }

  /** Names of members with a link that both ends report up, in any network. */
  linked(): ReadonlySet<string> {
    const rows = this.sql.exec<{ paths: string }>('SELECT paths FROM network_paths').toArray()
    const known = rows.flatMap(({ paths }) => Object.entries(JSON.parse(paths) as Record<string, MemberPaths>))
    return new Set(known.flatMap(([name, { up }]) => (up > 0 ? [name] : [])))
  }

  /** Paths of these members; undefined if the network has not pushed any. */
  paths(hub: HubName, routerNames: readonly string[]): Record<string, MemberPaths> | undefined {
    const [row] = this.sql.exec<{ paths: string }>('SELECT paths FROM network_paths WHERE hub = ?', hub).toArray()
    if (row === undefined) return undefined
    const known = JSON.parse(row.paths) as Record<string, MemberPaths>
    return Object.fromEntries(
      routerNames.flatMap((name) => {
        const paths = Object.hasOwn(known, name) ? known[name] : undefined
        return paths === undefined ? [] : [[name, paths]]
      }),
    )
  }

  /** Summaries of these networks, and networks that lack a summary or paths, or whose summary contradicts their rows. */
  find(networks: HealthQuestion['networks']): {
    readonly summaries: Map<HubName, NetworkSummary>
    readonly outdated: HealthQuestion['networks']
  } {
    const read = `SELECT n.hub, n.revision, n.summary, p.hub IS NOT NULL AS hasPaths
      FROM network_health n LEFT JOIN network_paths p ON p.hub = n.hub`
    const rows = this.sql.exec<{ hub: string; revision: number; summary: string; hasPaths: number }>(read).toArray()
    const known = new Map(rows.map((row) => [row.hub, row]))
    const summaries = new Map<HubName, NetworkSummary>()
    const outdated = networks.filter(({ hub, revision, members }) => {
      const row = known.get(hub)
      if (row === undefined) return true
      const summary = JSON.parse(row.summary) as NetworkSummary
      summaries.set(hub, summary)
      if (row.hasPaths === 0) return true
      return row.revision !== revision || PRESENCE_STATES.some((s) => summary.health.members[s] !== members[s])
    })
    return { summaries, outdated }
  }
}
