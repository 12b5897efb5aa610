import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { clientDevice } from '#contract/client/index.ts'
import type { Db } from '#db/client.ts'
import type { Ctx } from '#http/context.ts'

/** Facts that a client sends about its device with a sign-in. */
export type Device = z.output<typeof clientDevice>

/**
 * Records of a sign-in at these members, null for a name that nobody has: then the statement costs the same and writes
 * nothing. `failure` is empty for one that succeeded.
 */
export const insertLoginRecords = (
  { db, ip, now }: Pick<Ctx, 'db' | 'ip' | 'now'>,
  members: readonly { readonly id: number; readonly accountId: number }[],
  { os, version, sys_brand, sys_model, sys_version }: Device,
  failure: string,
) =>
  db.run(sql`
    insert into software_login_logs
      (account_id, router_id, router_name, ok, reason, ip, os, version, sys_brand, sys_model, sys_version, at)
    select r.account_id, r.id, r.name, ${failure === '' ? 1 : 0}, ${failure}, ${ip}, ${os}, ${version}, ${sys_brand}, ${sys_model},
      ${sys_version}, ${now}
    from routers r where ${isOneOfMembers(members)}`)

const isOneOfMembers = (members: readonly { readonly id: number; readonly accountId: number }[]): SQL =>
  sql`(r.id, r.account_id) in (select value ->> 'id', value ->> 'accountId'
    from json_each(${JSON.stringify(members.map(({ id, accountId }) => ({ id, accountId })))}))`

/** Stores the client's facts about its device, for the list of members. */
export const upsertClientFacts = (
  db: Db,
  { id, accountId }: { readonly id: number; readonly accountId: number },
  { os, version, capabilities }: Device,
) =>
  db.run(sql`
    insert into router_states (router_id, os, version, client_capabilities)
    select id, ${os}, ${version}, ${capabilities && JSON.stringify(capabilities)}
    from routers where id = ${id} and account_id = ${accountId}
    on conflict (router_id) do update set os = excluded.os, version = excluded.version,
      client_capabilities = excluded.client_capabilities`)
