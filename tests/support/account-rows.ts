import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { ROWS } from '#tests/unit/migrations/rows.ts'
import { ACCOUNT_TABLES } from '#db/schema/account-tables.ts'
import { schema } from '#db/client.ts'
import { newHubName } from '#security/hub-name.ts'
import { db } from './test-worker.ts'

/* An account with a row in every table of accounts, and counts of its rows. */

type Value = string | number | null
type Row = Readonly<Record<string, Value>>

/** Distance of the ids of two accounts. */
const STEP = 1_000

/** Tables that an account has rows in, or needs: its device, and the area of its POP resource. */
const FILLED = new Set([...ACCOUNT_TABLES.map(({ name }) => name), 'devices', 'pops'])

/** Columns that the rows of a migration test leave out, because they have a default or came later. */
const FURTHER: Readonly<Record<string, (accountId: number) => Row>> = {
  accounts: (id) => ({ hub: newHubName('default'), phone: `139${String(id).padStart(8, '0')}`, email: `u${id}@a.cn` }),
  routers: () => ({ hub: newHubName('default') }),
  networks: () => ({ hub: newHubName('default') }),
  ldap_hubs: () => ({ hub: newHubName('default') }),
  codes: (id) => ({ account_id: id, owner: `main:${id}` }),
  devices: (id) => ({ public_key: `key${id}` }),
}

/** Texts that are unique over all accounts. */
const UNIQUE = new Set([
  'accounts.username',
  'accounts.ram_domain',
  'alert_commands.id',
  'auth_requests.id',
  'auth_requests.state_hash',
  'auth_source_codes.code',
  'authorities.name',
  'client_sessions.id',
  'connection_logs.router_name',
  'contact_links.token_hash',
  'contacts.uuid',
  'devices.serial',
  'files.key',
  'ldap_runs.id',
  'login_tickets.ticket_hash',
  'messages.event_id',
  'network_tickets.number',
  'networks.number',
  'old_signs.sign',
  'pops.name',
  'recoveries.uniqid',
  'routers.name',
  'sessions.id',
  'tickets.number',
  'token_links.token_hash',
])

/** Columns of `UNIQUE` whose length is checked. */
const FIXED_LENGTH = new Set(['auth_source_codes.code', 'authorities.name'])

/** A row as that of another account: ids, persons and unique texts are its own. */
function shift(table: string, row: Row, accountId: number): Row {
  const offset = accountId - 1
  const own = (column: string, value: Value): Value => {
    if (typeof value === 'number') return column === 'id' || column.endsWith('_id') ? value + offset : value
    if (value === null) return value
    if (column === 'person') return value.replace(/\d+$/, (id) => String(Number(id) + offset))
    if (!UNIQUE.has(`${table}.${column}`)) return value
    return FIXED_LENGTH.has(`${table}.${column}`)
      ? String(accountId).padStart(value.length, '0')
      : `${value}${accountId}`
  }
  const hasId = ACCOUNT_TABLES.some(({ name, exported }) => name === table && /(^| )id( |$)/.test(exported))
  const given = Object.entries({ ...(hasId && { id: 1 }), ...row })
  return {
    ...Object.fromEntries(given.map(([column, value]) => [column, own(column, value)])),
    ...FURTHER[table]?.(accountId),
  }
}

/** Inserts an account with a row in every table. @param place the first is 1; its ids follow from it */
export async function fillAccount(place: number): Promise<number> {
  const accountId = place * STEP
  const rows = Object.entries(ROWS).filter(([table]) => FILLED.has(table))
  const [first, ...rest] = rows.map(([table, row]) => {
    const values = Object.entries(shift(table, row, accountId))
    const columns = sql.join(
      values.map(([column]) => sql.identifier(column)),
      sql`, `,
    )
    const texts = sql.join(
      values.map(([, value]) => sql`${value}`),
      sql`, `,
    )
    return db.run(sql`insert into ${sql.identifier(table)} (${columns}) values (${texts})`)
  })
  if (first) await db.batch([first, ...rest])
  return accountId
}

/** Number of rows of an account, by table. */
export async function countRows(accountId: number): Promise<Readonly<Record<string, number>>> {
  const counts = await readAll(
    ACCOUNT_TABLES.map(({ name, rows }) => sql`select count(*) from ${sql.identifier(name)} where ${rows(accountId)}`),
  )
  return Object.fromEntries(ACCOUNT_TABLES.map(({ name }, i) => [name, Number(counts[i]?.[0] ?? 0)]))
}

const TABLES = Object.values(schema).map(getTableConfig)

/** Number of all rows, by table. */
export async function countAllRows(): Promise<Readonly<Record<string, number>>> {
  const counts = await readAll(TABLES.map(({ name }) => sql`select count(*) from ${sql.identifier(name)}`))
  return Object.fromEntries(TABLES.map(({ name }, i) => [name, Number(counts[i]?.[0] ?? 0)]))
}

/** Columns of any table that hold this value, as `table.column`. */
export const findValue = (value: string): Promise<readonly string[]> => findIn(() => true, value)

/** Columns of any table that name this account. */
export const findAccount = (accountId: number): Promise<readonly string[]> =>
  findIn((column) => column === 'account_id' || column === 'erasure', accountId)

async function findIn(isSearched: (column: string) => boolean, value: Value): Promise<readonly string[]> {
  const searched = TABLES.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => column.name).filter(isSearched),
  })).filter(({ columns }) => columns.length > 0)
  const rows = await readAll(
    searched.map(({ name, columns }) => {
      const matches = columns.map(
        (column) => sql`max(${sql.identifier(column)} is ${value}) as ${sql.identifier(column)}`,
      )
      return sql`select ${sql.join(matches, sql`, `)} from ${sql.identifier(name)}`
    }),
  )
  const found = searched.flatMap(({ name, columns }, i) =>
    columns.filter((_, at) => rows[i]?.[at] === 1).map((column) => `${name}.${column}`),
  )
  return found.toSorted()
}

/** The first row of each query, in one round trip. */
async function readAll(queries: readonly SQL[]): Promise<readonly (readonly Value[] | undefined)[]> {
  const [first, ...rest] = queries.map((query) => db.all<Value[]>(query))
  return first ? (await db.batch([first, ...rest])).map(([row]) => row) : []
}
