import { HUB_TRANSFER } from '#contract/kernel/hub-limits.ts'
import type { StoragePage, StoredColumn } from '#contract/router/transfer.ts'
import { randomHex } from '#security/secrets.ts'
import type { RouterFacts } from './state/storage.ts'

/* Transfer of the storage of a router's hub to a hub at another place, while its device is away. */

/** Values that belong to the object, not to the router: its return ticket, marks of reads and failures. */
const OWN_KEYS: ReadonlySet<string> = new Set(['ticket', 'pending', 'rowMissing', 'failure', 'self_test', 'staged'])
const STAGED_KEY = 'staged'

type Item =
  | { readonly value: readonly [key: string, value: unknown] }
  | { readonly table: string; readonly row: Readonly<Record<string, StoredColumn>> }

/**
 * The old hub is frozen while its pages are read: it lets no device in, and thaws by itself. The new one keeps what it got as
 * staged until its row names it, and deletes it if that does not come.
 */
export class Transfer {
  private readonly storage: DurableObjectStorage
  private id = ''
  private frozenUntil = 0

  constructor(storage: DurableObjectStorage) {
    this.storage = storage
  }

  isFrozen(now: number): boolean {
    return now < this.frozenUntil
  }

  begin(now: number): void {
    this.id = randomHex(8)
    this.frozenUntil = now + HUB_TRANSFER.frozenMs
  }

  end(): void {
    this.frozenUntil = 0
  }

  /** Page of the transfer that has begun last; throws if that is over, because the storage may have changed. */
  page(cursor: string | null, now: number): StoragePage {
    const [id, place] = (cursor ?? `${this.id}:0`).split(':')
    if (!this.isFrozen(now) || id !== this.id) throw new Error('this transfer is over')
    const tables = this.tables()
    const page: Item[] = []
    let at = 0
    let size = 0
    for (const item of this.items(tables.map(({ name }) => name))) {
      if (at++ < Number(place)) continue
      if (size > HUB_TRANSFER.pageBytes) return toPage(page, tables, `${id}:${at - 1}`)
      page.push(item)
      size += sizeOf('value' in item ? item.value : Object.values(item.row))
    }
    return toPage(page, tables, null)
  }

  private tables(): readonly { readonly name: string; readonly sql: string }[] {
    return this.storage.sql
      .exec<{ name: string; sql: string }>(
        `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_' AND name NOT LIKE 'sqlite%' ORDER BY name`,
      )
      .toArray()
  }

  private *items(tables: readonly string[]): Generator<Item> {
    for (const value of this.storage.kv.list()) if (!OWN_KEYS.has(value[0])) yield { value }
    for (const table of tables)
      for (const row of this.storage.sql.exec<Record<string, StoredColumn>>(`SELECT * FROM ${table} ORDER BY rowid`))
        yield { table, row }
  }

  /** True for a hub whose storage came by a transfer and is not in use yet. */
  get isStaged(): boolean {
    return this.storage.kv.get(STAGED_KEY) !== undefined
  }

  /** Time at which a hub that no row has named by then deletes itself. */
  dueAt(): number | null {
    const stagedAt = this.storage.kv.get<number>(STAGED_KEY)
    return stagedAt === undefined ? null : stagedAt + HUB_TRANSFER.stagedMs
  }

  /** Stores a page; repetition does no harm. */
  stage({ values, tables, rows }: StoragePage, now: number): void {
    const { kv, sql } = this.storage
    kv.put(STAGED_KEY, now)
    for (const statement of tables) sql.exec(statement)
    for (const [key, value] of values) kv.put(key, key === 'router' ? withoutGeneration(value as RouterFacts) : value)
    for (const { table, row } of rows) {
      const columns = Object.keys(row)
      const marks = columns.map(() => '?').join(', ')
      sql.exec(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`, ...Object.values(row))
    }
  }

  /** Takes the staged storage as the hub's own. */
  settle(): void {
    this.storage.kv.delete(STAGED_KEY)
  }
}

/** Return tickets name the old hub, so none of their generation counts here. */
function withoutGeneration(facts: RouterFacts | null): RouterFacts | null {
  if (facts === null) return null
  const { generation: _, ...others } = facts
  return others
}

function toPage(items: readonly Item[], tables: readonly { readonly sql: string }[], next: string | null): StoragePage {
  return {
    values: items.flatMap((item) => ('value' in item ? [item.value] : [])),
    tables: tables.map(({ sql }) => sql.replace(/^CREATE TABLE /, 'CREATE TABLE IF NOT EXISTS ')),
    rows: items.flatMap((item) => ('value' in item ? [] : [item])),
    next,
  }
}

const sizeOf = (value: unknown): number =>
  value instanceof ArrayBuffer
    ? value.byteLength
    : Array.isArray(value)
      ? value.reduce<number>((sum, each) => sum + sizeOf(each), 0)
      : (JSON.stringify(value) ?? '').length
