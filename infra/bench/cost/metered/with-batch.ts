import { withMethods } from '#infra/bench/with-methods.ts'

type Batch = D1Database['batch']

/** Database whose batches run through `around`, those of its sessions too. */
export const withBatch = (db: D1Database, around: (run: Batch) => unknown): D1Database =>
  withMethods(db, {
    batch: around(db.batch.bind(db) as Batch),
    withSession: (since: string) => {
      const session = db.withSession(since)
      return withMethods(session, { batch: around(session.batch.bind(session) as Batch) })
    },
  })
