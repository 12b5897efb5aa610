import { createClient } from '@libsql/client/web'
import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { type Driver, type Statement, d1Driver, libsqlDriver } from './driver.ts'
import { parseGuardFailure } from './guard.ts'
import * as hubOutbox from './schema/hub-outbox.ts'
import * as accounts from './schema/accounts.ts'
import * as members from './schema/members.ts'
import * as networks from './schema/networks.ts'
import * as notices from './schema/notices.ts'

export const schema = { ...accounts, ...hubOutbox, ...members, ...networks, ...notices }

/** D1 or libSQL behind one query builder. `transaction` is left out: D1 has none, `batch` is the transaction. */
export type Db = Omit<SqliteRemoteDatabase, 'transaction' | 'query' | '_query'>

interface Options {
  /** Rides ahead of the first statement in its round trip; if it fails, nothing of that trip happens. */
  readonly guard?: () => Statement | undefined
  /** Called once per round trip. */
  readonly onTrip?: () => void
}

export interface DbBindings {
  readonly DB?: D1Database
  readonly LIBSQL_URL?: string
  readonly LIBSQL_TOKEN?: string
}

/** Opens the database the environment names: libSQL where LIBSQL_URL is set, else the D1 binding. */
export function driverOf(env: DbBindings): Driver {
  if (env.LIBSQL_URL) return libsqlDriver(createClient({ url: env.LIBSQL_URL, authToken: env.LIBSQL_TOKEN ?? '' }))
  if (env.DB) return d1Driver(env.DB)
  throw new Error('no database: bind DB or set LIBSQL_URL')
}

export function openDb(driver: Driver, { guard, onTrip }: Options = {}): Db {
  let isGuarded = guard === undefined
  const run = async (statements: readonly Statement[]) => {
    const ahead = isGuarded ? undefined : guard?.()
    isGuarded = true
    onTrip?.()
    try {
      const rows = await driver(ahead ? [ahead, ...statements] : statements)
      return ahead ? rows.slice(1) : rows
    } catch (error) {
      isGuarded = ahead === undefined // it has not passed yet
      throw parseGuardFailure(error)
    }
  }
  return drizzle(
    async (sql, params, method) => {
      const [rows = []] = await run([{ sql, params }])
      return { rows: method === 'get' ? (rows[0] as unknown[]) : rows }
    },
    async (queries) => (await run(queries)).map((rows) => ({ rows })),
  )
}
