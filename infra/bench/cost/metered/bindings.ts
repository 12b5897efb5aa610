import { alarmOf, countCursor, counts, deleteAlarm, setAlarm, whilePending } from './meter.ts'
import { toVirtual } from './virtual-time.ts'
import { withBatch } from './with-batch.ts'
import { withMethods } from '#infra/bench/with-methods.ts'

/* Meters around storage, D1 and hubs of the metered Worker: count calls, trips and rows. */

type Method = (...args: unknown[]) => unknown

/** Counts a hub's storage and takes over its alarm. */
export function meterState(ctx: DurableObjectState, hub: string, fire: () => Promise<void>): void {
  const { storage } = ctx
  const sql = withMethods(storage.sql, {
    exec: (query: string, ...values: unknown[]) => {
      const cursor = storage.sql.exec(query, ...values)
      countCursor(cursor)
      return cursor
    },
  })
  const written = (change: Method): Method => {
    return (...args) => {
      counts.hubRowsWritten += 1
      return change(...args)
    }
  }
  const kv = withMethods(storage.kv, {
    get: (key: string) => {
      counts.hubRowsRead += 1
      return storage.kv.get(key)
    },
    put: written((key, value) => storage.kv.put(key as string, value)),
    delete: written((key) => storage.kv.delete(key as string)),
  })
  const metered = withMethods(storage, {
    sql,
    kv,
    getAlarm: async () => alarmOf(hub),
    setAlarm: async (at: number | Date) => setAlarm(hub, { at: Math.ceil(Number(at)), fire }),
    deleteAlarm: async () => deleteAlarm(hub),
  })
  const pingedAt = ctx.getWebSocketAutoResponseTimestamp.bind(ctx)
  Object.defineProperty(ctx, 'storage', { value: metered })
  Object.defineProperty(ctx, 'getWebSocketAutoResponseTimestamp', {
    value: (socket: WebSocket) => toVirtual(pingedAt(socket)),
  })
}

/** Counts the calls of the Worker, or of one hub, to D1 and to hubs. */
export function meterEnv(env: Env, by: 'worker' | 'hub'): Env {
  const waits = by === 'hub' ? createTripWaits() : <T>(run: () => Promise<T>) => run()
  const trip = <T>(run: () => Promise<T>): Promise<T> => whilePending(() => waits(run))
  const metered = Object.entries(env).map(([name, binding]) => {
    if (isDatabase(binding)) return [name, meterDatabase(binding, trip)]
    return [name, isNamespace(binding) ? meterNamespace(binding, trip) : binding]
  })
  return Object.fromEntries(metered) as Env
}

type Trip = <T>(run: () => Promise<T>) => Promise<T>

/** Counts the trips of one hub that begin behind the end of another, from its first until none is under way. */
function createTripWaits(): Trip {
  let underWay = 0
  let ended = 0
  return async (run) => {
    const place = ended + 1
    underWay += 1
    try {
      return await run()
    } finally {
      underWay -= 1
      ended = Math.max(ended, place)
      if (underWay === 0) {
        counts.hubTrips += ended
        ended = 0
      }
    }
  }
}

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === 'object' && binding !== null && 'prepare' in binding
const isNamespace = (binding: unknown): binding is DurableObjectNamespace =>
  typeof binding === 'object' && binding !== null && 'idFromName' in binding

/** Meters a database through its batches: worker/db/driver.ts batches everything. */
function meterDatabase(db: D1Database, trip: Trip): D1Database {
  const refuse = () => {
    throw new Error('bench cost counts D1 batches only')
  }
  const meter = (run: D1Database['batch']) => (statements: D1PreparedStatement[]) =>
    trip(async () => {
      const results = await run(statements)
      for (const { meta } of results) {
        counts.d1RowsRead += meta.rows_read
        counts.d1RowsWritten += meta.rows_written
      }
      return results
    })
  return withMethods(withBatch(db, meter), { exec: refuse })
}

function meterNamespace(namespace: DurableObjectNamespace, trip: Trip): DurableObjectNamespace {
  const meterStub = (stub: DurableObjectStub): DurableObjectStub =>
    new Proxy(stub, {
      get(_, key) {
        if (key === 'id' || key === 'name' || typeof key === 'symbol') return Reflect.get(stub, key, stub) as unknown
        return (...args: unknown[]) => {
          counts.hubRequests += 1
          return trip(async () => (stub as unknown as Record<string, Method>)[key]?.(...args))
        }
      },
    })
  return withMethods(namespace, {
    get: (...args: Parameters<DurableObjectNamespace['get']>) => meterStub(namespace.get(...args)),
    getByName: (...args: Parameters<DurableObjectNamespace['getByName']>) => meterStub(namespace.getByName(...args)),
    jurisdiction: (name: DurableObjectJurisdiction) => meterNamespace(namespace.jurisdiction(name), trip),
  })
}
