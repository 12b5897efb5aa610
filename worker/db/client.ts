import { createClient } from '@libsql/client/web'
import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import {
  DatabaseAway,
  type Driver,
  type DriverOptions,
  type Rows,
  type Statement,
  d1Driver,
  isAwayError,
  isOverload,
  libsqlDriver,
} from './driver.ts'
import { count } from './counters.ts'
import { parseGuardFailure } from './guard.ts'
import * as service from './schema/service.ts'
import * as accounts from './schema/accounts.ts'
import * as authSources from './schema/auth-sources.ts'
import * as authorities from './schema/authorities.ts'
import * as files from './schema/files.ts'
import * as publications from './schema/publications.ts'
import * as ldap from './schema/ldap.ts'
import * as monitor from './schema/monitor.ts'
import * as networks from './schema/networks.ts'
import * as notices from './schema/notices.ts'
import * as clients from './schema/clients.ts'
import * as pop from './schema/pop.ts'
import * as routers from './schema/routers.ts'
import * as saas from './schema/saas.ts'
import * as tickets from './schema/tickets.ts'

/* Database client: its schema, and databases on D1 or libSQL for requests, hubs and devices. */

export const schema = {
  ...accounts,
  ...authSources,
  ...authorities,
  ...clients,
  ...files,
  ...publications,
  ...service,
  ...ldap,
  ...monitor,
  ...networks,
  ...notices,
  ...pop,
  ...routers,
  ...saas,
  ...tickets,
}

/** D1 or libSQL behind one query builder. It has no `transaction`, because D1 has none: `batch` is the transaction. */
export type Db = Omit<SqliteRemoteDatabase, 'transaction' | 'query' | '_query'>

interface Options {
  /** Statements that run first in the transaction of the first round trip. */
  readonly check?: () => readonly Statement[]
  readonly onTrip?: () => void
}

export interface DbBindings {
  readonly DB?: D1Database
  readonly LIBSQL_URL?: string
  readonly LIBSQL_TOKEN?: string
  readonly LIBSQL_REPLICA_URL?: string
  readonly LIBSQL_REPLICA_LAG_S?: string
}

/** Opens the database of the environment: libSQL if LIBSQL_URL is set, else the D1 binding. */
export function createDriver(env: DbBindings, options: DriverOptions = {}): Driver {
  const url = options.since === undefined ? env.LIBSQL_URL : env.LIBSQL_REPLICA_URL
  if (env.LIBSQL_URL && url) return libsqlDriver(createClient({ url, authToken: env.LIBSQL_TOKEN ?? '' }), options)
  if (env.DB) return d1Driver(env.DB, options)
  throw new Error('no database: bind DB or set LIBSQL_URL')
}

export const openDb = (driver: Driver): Db => openCheckedDb(driver).db

/** Database on the primary, for hubs and devices: a row that a replica lacks would count as deleted. */
export const openPrimary = (env: DbBindings): Db => openDb(createDriver(env, { isPrimaryOnly: true }))

/**
 * Database whose first round trip carries a check. Trips that start meanwhile wait for it, and carry it themselves if it
 * failed. `passCheck` resolves once the check has passed; without any trip so far it makes one.
 */
export function openCheckedDb(driver: Driver, { check, onTrip }: Options = {}) {
  let isChecked = check === undefined
  let checking: Promise<void> | undefined
  const trip = async (statements: readonly Statement[]) => {
    onTrip?.()
    const startedAt = Date.now()
    try {
      return await driver(statements)
    } catch (error) {
      if (isOverload(error)) count('refusedTrips')
      const parsed = parseGuardFailure(error)
      throw parsed === error && isAwayError(error) ? new DatabaseAway(error) : parsed
    } finally {
      count('trips')
      count('tripMs', Math.max(0, Date.now() - startedAt))
    }
  }
  const run = async (statements: readonly Statement[]): Promise<Rows[]> => {
    while (checking) await checking
    const ahead = isChecked ? [] : (check?.() ?? [])
    if (ahead.length === 0) return statements.length === 0 ? [] : trip(statements)
    const first = trip([...ahead, ...statements])
    checking = first.then(
      () => void (isChecked = true),
      () => {},
    )
    try {
      return (await first).slice(ahead.length)
    } finally {
      checking = undefined
    }
  }
  const db: Db = drizzle(
    async (sql, params, method) => {
      const [rows = []] = await run([{ sql, params }])
      return { rows: method === 'get' ? (rows[0] as unknown[]) : rows }
    },
    async (queries) => (await run(queries)).map((rows) => ({ rows })),
  )
  return { db, passCheck: async () => void (await run([])) }
}
