import { type SQL, and, eq, gte, lt, or, sql } from 'drizzle-orm'
import { CERTIFICATE } from '#contract/device/limits.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { authorities, certificates, revocationLists, revocations } from '#db/schema/authorities.ts'
import { networks } from '#db/schema/networks.ts'

/* Statements of authorities, certificates and revocation lists behind the document of a router. */

/**
 * Rows of the keys of the router with this id, as they are stored, by the accounts of its networks. `ownNetworks` are the ids
 * of those that its document contains.
 */
export const keyStatements = (db: Db, { ownId, ownNetworks }: { ownId: SQL; ownNetworks: SQL }, now: SQL) => ({
  authorities: db
    .select({
      accountId: authorities.accountId,
      name: authorities.name,
      certificate: authorities.certificate,
      expiresAt: authorities.expiresAt,
    })
    .from(authorities)
    .where(sql`${authorities.accountId} in (select account_id from networks where id in ${ownNetworks})`),
  /** The newest by each authority. */
  certificates: db
    .select({
      accountId: certificates.accountId,
      requestHash: certificates.requestHash,
      isServer: certificates.isServer,
      isGateway: certificates.isGateway,
      certificate: certificates.certificate,
      expiresAt: certificates.expiresAt,
      issued: sql<number>`(select count(*) from certificates c where c.router_id = certificates.router_id
        and c.account_id = certificates.account_id and c.issued_at > ${now} - ${sql.raw(String(DAY_MS))})`.as('issued'),
    })
    .from(certificates)
    .where(
      sql`${certificates.id} in (select max(c.id) from certificates c join authorities a on a.id = c.authority_id
        where c.router_id = ${ownId} and c.account_id in (select account_id from networks where id in ${ownNetworks})
        group by c.account_id)`,
    ),
  lists: db
    .select({
      networkId: as(networks.id, 'network_id'),
      newest: sql<number | null>`(select max(r.id) from revocations r where r.network_id = networks.id
        and r.account_id = networks.account_id)`.as('newest_revocation'),
      signed: as(revocationLists.newest, 'signed'),
      list: revocationLists.list,
    })
    .from(networks)
    .leftJoin(authorities, eq(authorities.accountId, networks.accountId))
    .leftJoin(
      revocationLists,
      and(
        eq(revocationLists.networkId, networks.id),
        eq(revocationLists.authorityId, authorities.id),
        eq(revocationLists.accountId, networks.accountId),
      ),
    )
    .where(sql`${networks.id} in ${ownNetworks}`),
})

/** Of two routers of an account that need the first authority at the same time, one inserts it. */
export const insertAuthority = (db: Db, row: Omit<typeof authorities.$inferInsert, 'id'>) =>
  db.insert(authorities).values(row).onConflictDoNothing({ target: authorities.accountId })

export const selectAuthority = (db: Db, accountId: number) =>
  db.select().from(authorities).where(eq(authorities.accountId, accountId))

/** Revoked certificates of networks that have not expired, the newest first. */
export const selectRevocations = (db: Db, accountId: number, networkIds: readonly number[], now: number) =>
  db.all<[networkId: number, id: number, serial: string, revokedAt: number]>(sql`
    select network_id, id, serial, revoked_at from (
      select network_id, id, serial, revoked_at, row_number() over (partition by network_id order by id desc) as place
      from revocations where account_id = ${accountId} and expires_at > ${now}
        and network_id in (select value from json_each(${JSON.stringify(networkIds)})))
    where place <= ${CERTIFICATE.listedMax} order by id desc`)

/** Device of a router, and the authority that has signed for it, as they were read. */
export interface SignedFor {
  /** Account of the authority. */
  readonly accountId: number
  /** Account of the router: of a node that of the operator. */
  readonly routerAccountId: number
  readonly authority: string
  readonly hub: string
  readonly deviceId: number
  readonly publicKey: string
}

/** Inserts a certificate unless the router has got another device, its key was reset, or the authority is another one. */
export const insertCertificate = (
  db: Db,
  { accountId, routerAccountId, authority, hub, deviceId, publicKey }: SignedFor,
  row: Pick<
    typeof certificates.$inferSelect,
    'serial' | 'requestHash' | 'isServer' | 'isGateway' | 'certificate' | 'expiresAt'
  >,
  now: number,
) =>
  db.run(sql`
    insert into certificates (account_id, authority_id, router_id, router_name, serial, request_hash, is_server,
      is_gateway, certificate, issued_at, expires_at)
    select ${accountId}, a.id, r.id, r.name, ${row.serial}, ${row.requestHash}, ${row.isServer},
      ${row.isGateway}, ${row.certificate}, ${now}, ${row.expiresAt}
    from routers r join devices d on d.id = r.device_id join authorities a on a.account_id = ${accountId}
    where r.account_id = ${routerAccountId} and r.hub = ${hub} and d.id = ${deviceId} and d.public_key = ${publicKey}
      and a.name = ${authority}`)

/** Stores a signed list. Of two hubs that sign for a network, the list with the newest revocation stays. */
export const saveList = (
  db: Db,
  { accountId, authority }: Pick<SignedFor, 'accountId' | 'authority'>,
  { networkId, newest, list }: { readonly networkId: number; readonly newest: number; readonly list: string },
) =>
  db.run(sql`
    insert into revocation_lists (network_id, account_id, authority_id, newest, list)
    select n.id, n.account_id, a.id, ${newest}, ${list}
    from networks n join authorities a on a.account_id = n.account_id
    where n.account_id = ${accountId} and n.id = ${networkId} and a.name = ${authority}
    on conflict (network_id) do update
      set authority_id = excluded.authority_id, newest = excluded.newest, list = excluded.list
      where excluded.account_id = revocation_lists.account_id
        and (excluded.newest > revocation_lists.newest or excluded.authority_id <> revocation_lists.authority_id)`)

/** Forgets the request of a device whose key was reset. */
export const deleteRequest = (db: Db, { accountId, id }: { readonly accountId: number; readonly id: number }) =>
  db.run(sql`
    update router_states set certificate_request = null
    where router_id in (select id from routers where account_id = ${accountId} and id = ${id})`)

/** Deletes the authority of an account with all that it has signed. */
export const deleteAuthority = (db: Db, accountId: number) => ({
  lists: db.delete(revocationLists).where(eq(revocationLists.accountId, accountId)),
  revocations: db.delete(revocations).where(eq(revocations.accountId, accountId)),
  certificates: db.all<[number]>(sql`delete from certificates where account_id = ${accountId} returning 1`),
  authority: db.delete(authorities).where(eq(authorities.accountId, accountId)),
})

/** Hubs of the routers of an account that run tunnels, and of nodes that carry its networks. */
export const selectTunnelRouters = (accountId: number): SQL => sql`
  select 'router' as kind, r.hub as hub from routers r join router_states s on s.router_id = r.id and s.vpn = 1
  where r.account_id = ${accountId} or r.id in (select router_id from pop_members where account_id = ${accountId})`

/** Authorities whose key is sealed under another key than the one with this prefix. */
export const selectKeysUnderOther = (db: Db, prefix: string, limit: number) =>
  db
    .select({ id: authorities.id, accountId: authorities.accountId, keySealed: authorities.keySealed })
    .from(authorities)
    .where(or(lt(authorities.keySealed, prefix), gte(authorities.keySealed, `${prefix}~`)))
    .limit(limit)

export const saveSealedKeys = (
  db: Db,
  rows: readonly { readonly id: number; readonly accountId: number; readonly before: string; readonly after: string }[],
) =>
  db.run(sql`
    update authorities set key_sealed = s.value ->> 'after'
    from json_each(${JSON.stringify(rows)}) s
    where authorities.id = s.value ->> 'id' and authorities.account_id = s.value ->> 'accountId'
      and authorities.key_sealed = s.value ->> 'before'`)
