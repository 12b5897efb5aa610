import { sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { batch } from './batch.ts'
import { type Db, schema } from './client.ts'

/**
 * Fills empty `hub` columns with new hub names, and keys of members: a release that does not write the columns may run during
 * a deploy or after a rollback. Routers and networks get the place of their account.
 */
export const nameHubs = async (db: Db): Promise<void> =>
  void (await batch(db, {
    accounts: nameMissing(db, schema.accounts, sql`'default.'`),
    routers: nameMissing(db, schema.routers, placeOfAccount),
    networks: nameMissing(db, schema.networks, placeOfAccount),
    members: db.run(sql`update ${schema.routers} set uid = hub where uid is null`),
  }))

const placeOfAccount = sql`(select substr(a.hub, 1, instr(a.hub, '.')) from accounts a where a.id = account_id)`

const nameMissing = (db: Db, table: SQLiteTable, place: typeof placeOfAccount) =>
  db.run(sql`update ${table} set hub = ${place} || lower(hex(randomblob(16))) where hub = ''`)
