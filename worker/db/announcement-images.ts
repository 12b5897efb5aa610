import { sql } from 'drizzle-orm'
import type { Db } from './client.ts'

/** Those of the images that the text of an announcement names. */
export const selectNamedImages = (db: Db, keys: readonly string[]) =>
  db.all<[key: string]>(sql`
    select i.value from json_each(${JSON.stringify(keys)}) i
    where exists (select 1 from announcements where instr(content, i.value) > 0)`)
