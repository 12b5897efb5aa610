import { type SQL, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { SIGN_IN_ORIGINS } from '#contract/login/limits.ts'

type Kind = 'device' | 'place'

/** Devices and places of a person ('main:1', as an expression), the latest first. */
export const selectSignInOrigins = (db: Db, person: SQL) =>
  db.all<[Kind, string]>(sql`
    select kind, value from sign_in_origins where person = ${person} order by seen_at desc limit ${SIGN_IN_ORIGINS.max}`)

interface SeenOrigins {
  readonly accountId: number
  readonly ramId: number | null
  readonly person: string
  readonly origins: readonly (readonly [Kind, string])[]
}

export const upsertSignInOrigins = (db: Db, { accountId, ramId, person, origins }: SeenOrigins, now: number) =>
  db.run(sql`
    insert into sign_in_origins (account_id, ram_id, person, kind, value, seen_at)
    select ${accountId}, ${ramId}, ${person}, value ->> 0, value ->> 1, ${now} from json_each(${JSON.stringify(origins)})
    where true on conflict (person, kind, value) do update set seen_at = excluded.seen_at`)
