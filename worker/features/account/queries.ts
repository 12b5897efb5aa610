import { and, desc, eq, sql } from 'drizzle-orm'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { selectMembersWith } from '#db/network-members.ts'
import { accounts, services } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'

export const selectServices = (db: Db, accountId: number) =>
  db
    .select({
      kind: services.kind,
      name: services.name,
      quantity: services.quantity,
      startAt: services.startAt,
      expireAt: services.expireAt,
    })
    .from(services)
    .where(eq(services.accountId, accountId))
    .orderBy(desc(services.id))

export const selectSign = (db: Db, accountId: number) =>
  db.select({ sign: accounts.sign }).from(accounts).where(eq(accounts.id, accountId))

export const selectNetworkRevisions = (db: Db, accountId: number) =>
  db
    .select({ id: networks.id, revision: networks.revision, hub: networks.hub })
    .from(networks)
    .where(eq(networks.accountId, accountId))

/** Members of all networks of the account that have software among them. */
export const selectSoftwareNetworkMembers = (db: Db, accountId: number) =>
  selectMembersWith(db, accountId, sql`r.router_type = ${ROUTER_TYPE.software}`)

export const selectSoftware = (db: Db, accountId: number) =>
  db
    .select({ id: routers.id })
    .from(routers)
    .where(and(eq(routers.accountId, accountId), eq(routers.routerType, ROUTER_TYPE.software)))

export const updateSign = (db: Db, accountId: number, sign: string) =>
  db.update(accounts).set({ sign }).where(eq(accounts.id, accountId))

/** `name@old` becomes `name@new` for every software member. */
export const renameSoftware = (db: Db, accountId: number, sign: string) =>
  db
    .update(routers)
    .set({ name: sql`substr(${routers.name}, 1, instr(${routers.name}, '@')) || ${sign}` })
    .where(and(eq(routers.accountId, accountId), eq(routers.routerType, ROUTER_TYPE.software)))
