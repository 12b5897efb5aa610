import { or, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { networks } from '#db/schema/networks.ts'

/* Statements on the secrets of networks, for the job that seals them. */

/** Networks whose secret is not sealed at all, or under another key than the one with this prefix. */
export const selectUnsealed = (db: Db, prefix: string, limit: number) =>
  db
    .select({
      id: networks.id,
      accountId: networks.accountId,
      number: networks.number,
      secret: networks.secret,
      secretSealed: networks.secretSealed,
    })
    .from(networks)
    .where(or(lt(networks.secretSealed, prefix), gte(networks.secretSealed, `${prefix}~`)))
    .limit(limit)

/** Stores sealed secrets, and puts random values in place of the readable ones. */
export const saveSealedSecrets = (
  db: Db,
  rows: readonly { readonly id: number; readonly accountId: number; readonly before: string; readonly after: string }[],
) =>
  db.run(sql`
    update networks set secret_sealed = s.value ->> 'after', secret = lower(hex(randomblob(32)))
    from json_each(${JSON.stringify(rows)}) s
    where networks.id = s.value ->> 'id' and networks.account_id = s.value ->> 'accountId'
      and networks.secret_sealed = s.value ->> 'before'`)
