import { AsyncLocalStorage } from 'node:async_hooks'
import { type Method, withMethods } from '#infra/bench/with-methods.ts'
import type { RunCost, Trip } from '../run-cost.ts'

interface Counted {
  readonly trips: Trip[]
  ownRowsWritten: number
}

/** Of the alarm that works: what pages ask of the hub meanwhile is not counted. */
const current = new AsyncLocalStorage<Counted>()

export async function countRun(work: () => Promise<void>): Promise<RunCost> {
  const counted: Counted = { trips: [], ownRowsWritten: 0 }
  const from = Date.now()
  await current.run(counted, work)
  return { ...counted, from, to: Date.now() }
}

function countRows(rows: number): void {
  const counted = current.getStore()
  if (counted) counted.ownRowsWritten += rows
}

/** Counts what a hub writes to its own storage. */
export function meterStorage(ctx: DurableObjectState): void {
  const { storage } = ctx
  const written = (change: Method): Method => {
    return (...args) => {
      countRows(1)
      return change(...args)
    }
  }
  const metered = withMethods(storage, {
    sql: withMethods(storage.sql, {
      exec: (query: string, ...values: unknown[]) => {
        const cursor = storage.sql.exec(query, ...values)
        countRows(cursor.rowsWritten)
        return cursor
      },
    }),
    kv: withMethods(storage.kv, {
      put: written((key, value) => storage.kv.put(key as string, value)),
      delete: written((key) => storage.kv.delete(key as string)),
    }),
    setAlarm: written((at) => storage.setAlarm(at as number)),
  })
  Object.defineProperty(ctx, 'storage', { value: metered })
}

/** Counts a hub's round trips to D1; worker/db/driver.ts batches everything. */
export function meterDatabase(env: Env): Env {
  const { DB } = env
  if (!DB) return env
  const batch = async (statements: D1PreparedStatement[]) => {
    const from = Date.now()
    const results = await DB.batch(statements)
    const rowsWritten = results.reduce((sum, { meta }) => sum + meta.rows_written, 0)
    current.getStore()?.trips.push({ from, to: Date.now(), rowsWritten })
    return results
  }
  return { ...env, DB: withMethods(DB, { batch }) }
}
