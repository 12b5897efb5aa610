import { type SQL, and, desc, eq, gte, inArray, lte, notInArray, or, sql } from 'drizzle-orm'
import { type ErrorKey, toMessage } from '#contract/kernel/errors.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { Db } from '#db/client.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { as, contains } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { quotaSql } from '#db/quota.ts'
import { accounts } from '#db/schema/accounts.ts'
import { files } from '#db/schema/files.ts'
import { ldapConfigs, ldapDomains, ldapHubs, ldapRuns } from '#db/schema/ldap.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { onlineSql } from '#features/router/sql/columns.ts'

/* Statements on the directory (LDAP) of an account: its configuration, hub, domains, CA file and runs. */

/** Configuration with the names of router, network and file; its password stays sealed. */
export const selectConfig = (db: Db, accountId: number) =>
  db
    .select({
      ...valueColumns,
      routerName: as(routers.name, 'router_name'),
      routerNote: as(routers.note, 'router_note'),
      fileName: as(files.name, 'file_name'),
      networkNumber: as(networks.number, 'network_number'),
      networkName: as(networks.name, 'network_name'),
      syncMode: ldapConfigs.syncMode,
      createdAt: ldapConfigs.createdAt,
      updatedAt: ldapConfigs.updatedAt,
    })
    .from(ldapConfigs)
    .leftJoin(routers, eq(routers.id, ldapConfigs.routerId))
    .leftJoin(files, eq(files.key, ldapConfigs.caKey))
    .leftJoin(networks, eq(networks.id, ldapConfigs.networkId))
    .where(eq(ldapConfigs.accountId, accountId))

/** Columns of `DirectoryValues` (contract/ldap/hub.ts). */
const valueColumns = {
  mode: ldapConfigs.mode,
  routerId: ldapConfigs.routerId,
  domain: ldapConfigs.domain,
  host: ldapConfigs.host,
  port: ldapConfigs.port,
  baseDn: ldapConfigs.baseDn,
  security: ldapConfigs.security,
  caKey: ldapConfigs.caKey,
  certificateName: ldapConfigs.certificateName,
  username: ldapConfigs.username,
  userFilter: ldapConfigs.userFilter,
  usernameAttribute: ldapConfigs.usernameAttribute,
  phoneAttribute: ldapConfigs.phoneAttribute,
}

export const selectHub = (db: Db, accountId: number) =>
  db.select({ hub: ldapHubs.hub }).from(ldapHubs).where(eq(ldapHubs.accountId, accountId))

/** Whole row for undo, with the sealed password. */
export const selectWholeConfig = (db: Db, accountId: number) =>
  db.select().from(ldapConfigs).where(eq(ldapConfigs.accountId, accountId))

/** Stores the account's hub, unless an earlier call has stored one. */
export const insertHub = (db: Db, accountId: number, hub: HubName) =>
  db.insert(ldapHubs).values({ accountId, hub }).onConflictDoNothing()

/** Sets the time at which the cron wakes the hub; null for never. */
export const updateDue = (db: Db, accountId: number, dueAt: number | null) =>
  db.update(ldapHubs).set({ dueAt }).where(eq(ldapHubs.accountId, accountId))

/** Sets that time after a run. A run of an older configuration leaves the hub due. */
export const updateDueOf = (db: Db, accountId: number, dueAt: number | null, revision: number) =>
  db
    .update(ldapHubs)
    .set({ dueAt })
    .where(
      and(
        eq(ldapHubs.accountId, accountId),
        sql`not exists (select 1 from ldap_configs where account_id = ${accountId} and revision <> ${revision})`,
      ),
    )

export const selectOverdue = (db: Db, before: number, limit: number) =>
  db
    .select({ hub: ldapHubs.hub })
    .from(ldapHubs)
    .where(lte(ldapHubs.dueAt, before))
    .orderBy(ldapHubs.dueAt)
    .limit(limit)

/** Account, configuration and quota of a directory hub; no row if the account is gone. */
export const selectOwner = (db: Db, hub: HubName, now: number) =>
  db
    .select({
      accountId: as(ldapHubs.accountId, 'owner'),
      accountHub: as(accounts.hub, 'account_hub'),
      sign: accounts.sign,
      used: sql<number>`(select count(*) from routers where account_id = ${accounts.id} and router_type = 2)`.as(
        'used',
      ),
      max: quotaSql(sql`${accounts.id}`, 'software_member', now).as('quota'),
      revision: sql<number | null>`${ldapConfigs.revision}`.as('revision'),
      configuredAt: sql<number | null>`${ldapConfigs.createdAt}`.as('configured_at'),
      syncMode: sql<1 | 2 | null>`${ldapConfigs.syncMode}`.as('sync_mode'),
      passwordSealed: sql<string | null>`${ldapConfigs.passwordSealed}`.as('password_sealed'),
      networkNumber: sql<string | null>`${networks.number}`.as('network_number'),
    })
    .from(ldapHubs)
    .innerJoin(accounts, eq(accounts.id, ldapHubs.accountId))
    .leftJoin(ldapConfigs, eq(ldapConfigs.accountId, ldapHubs.accountId))
    .leftJoin(networks, eq(networks.id, ldapConfigs.networkId))
    .where(eq(ldapHubs.hub, hub))

export const selectValues = (db: Db, hub: HubName) =>
  db
    .select(valueColumns)
    .from(ldapConfigs)
    .innerJoin(ldapHubs, eq(ldapHubs.accountId, ldapConfigs.accountId))
    .where(eq(ldapHubs.hub, hub))

export const selectTunnelRouter = (db: Db, routerId: number) =>
  db
    .select({ hub: routers.hub, deviceId: routers.deviceId })
    .from(routers)
    .where(and(eq(routers.id, routerId), eq(routers.status, 1)))

/** Hardware members, those first that can carry a tunnel now. */
export const selectHardware = (db: Db, accountId: number, search: string) => {
  const online = sql<0 | 1>`coalesce(${onlineSql}, 0)`
  return db
    .select({
      router_name: as(routers.name, 'router_name'),
      note: routers.note,
      status: routers.status,
      online: online.as('online'),
      tunnel: routerStates.tunnel,
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(
      and(
        eq(routers.accountId, accountId),
        eq(routers.routerType, ROUTER_TYPE.hardware),
        search === '' ? undefined : or(contains(routers.name, search), contains(routers.note, search)),
      ),
    )
    .orderBy(
      sql`${routers.status} = 1 and ${online} = 1 and ${routerStates.tunnel} is not 0 desc`,
      desc(online),
      desc(routers.id),
    )
    .limit(LDAP.hardwareShown)
}

type ConfigRow = Omit<typeof ldapConfigs.$inferInsert, 'passwordSealed'> & { readonly passwordSealed: string | null }

/** Inserts or updates the configuration. `passwordSealed` null keeps the stored password. */
export const saveConfig = (db: Db, { passwordSealed, ...row }: ConfigRow) => {
  const { accountId, createdAt: _, revision, ...set } = row
  const stored = sql<string>`(select password_sealed from ldap_configs where account_id = ${accountId})`
  return db
    .insert(ldapConfigs)
    .values({ ...row, passwordSealed: passwordSealed ?? stored })
    .onConflictDoUpdate({
      target: ldapConfigs.accountId,
      set: {
        ...set,
        ...(passwordSealed !== null && { passwordSealed }),
        revision: sql`max(${ldapConfigs.revision} + 1, ${revision})`,
      },
    })
}

export const updateSyncMode = (db: Db, accountId: number, syncMode: 1 | 2, now: number) =>
  db.update(ldapConfigs).set({ syncMode, updatedAt: now }).where(eq(ldapConfigs.accountId, accountId))

export const deleteConfig = (db: Db, accountId: number) =>
  db.delete(ldapConfigs).where(eq(ldapConfigs.accountId, accountId))

/** One row if the account has proved that the domain is its own. */
export const selectDomain = (db: Db, accountId: number, domain: string) =>
  db
    .select({ provedAt: ldapDomains.provedAt })
    .from(ldapDomains)
    .where(and(eq(ldapDomains.accountId, accountId), eq(ldapDomains.domain, domain)))

export const insertDomain = (db: Db, accountId: number, domain: string, now: number) =>
  db.insert(ldapDomains).values({ accountId, domain, provedAt: now }).onConflictDoNothing()

export const selectNetworkId = (db: Db, accountId: number, number: string) =>
  db
    .select({ id: networks.id })
    .from(networks)
    .where(and(eq(networks.accountId, accountId), eq(networks.number, number)))

/** Guard: no directory adds its new members to this network, which is to be deleted. */
export const guardNoDirectory = (db: Db, { id, name }: { readonly id: number; readonly name: string }) =>
  guard(
    db,
    sql`not exists (select 1 from ldap_configs where network_id = ${id})`,
    violation('LDAP_NETWORK_IN_USE', { name }),
  )

type Referred = Pick<typeof ldapConfigs.$inferSelect, 'routerId' | 'networkId' | 'caKey'>

/** Guards: router, network and CA of a configuration still exist. `refused` replaces their own refusals. */
export const guardReferred = (
  db: Db,
  accountId: number,
  { routerId, networkId, caKey }: Referred,
  refused?: Violation,
) => {
  const guardOwn = (tableAndCondition: SQL, key: ErrorKey) =>
    guard(db, sql`exists (select 1 from ${tableAndCondition} and account_id = ${accountId})`, refused ?? violation(key))
  return {
    routerStands: routerId !== null && guardOwn(sql`routers where id = ${routerId}`, 'ROUTER_NOT_FOUND'),
    networkStands: networkId !== null && guardOwn(sql`networks where id = ${networkId}`, 'NETWORK_NOT_FOUND'),
    caStands: caKey !== null && guardOwn(sql`files where key = ${caKey}`, 'LDAP_CA_REQUIRED'),
  }
}

const isCaFile = (accountId: number) => and(eq(files.accountId, accountId), eq(files.purpose, 'ldap_ca'))

export const selectCa = (db: Db, accountId: number, key: string) =>
  db
    .select({ key: files.key })
    .from(files)
    .where(and(isCaFile(accountId), eq(files.key, key)))

/** Attaches the CA file that the configuration uses, and releases all others. */
export const holdCa = (db: Db, accountId: number, key: string | null) =>
  db
    .update(files)
    .set({ attachedTo: sql`case when ${files.key} = ${key} then 'ldap' end` })
    .where(isCaFile(accountId))

/** Releases the CA file of a closed directory: it is deleted a day later, at the same time as undo ends. */
export const releaseCa = (db: Db, accountId: number, now: number) =>
  db
    .update(files)
    .set({ attachedTo: null, createdAt: now })
    .where(and(isCaFile(accountId), eq(files.attachedTo, 'ldap')))

export const insertRun = (db: Db, row: typeof ldapRuns.$inferInsert) => {
  const { id: _, accountId: __, ...set } = row
  return db.insert(ldapRuns).values(row).onConflictDoUpdate({ target: ldapRuns.id, set })
}

/** Number of committed portions of a run; no row if the run is unknown, null if its row has no count. */
export const selectPortions = (db: Db, accountId: number, id: string) =>
  db.all<[number | null]>(sql`
    select counts ->> 'portions' as portions from ldap_runs where account_id = ${accountId} and id = ${id}`)

const isRun = (accountId: number, id: string) => and(eq(ldapRuns.accountId, accountId), eq(ldapRuns.id, id))

export const selectUndoable = (db: Db, accountId: number, id: string) =>
  db
    .select({ id: ldapRuns.id })
    .from(ldapRuns)
    .where(and(isRun(accountId, id), eq(ldapRuns.canUndo, 1)))

/** Guard: the configuration is still that of the run, so that no entries of another directory are written. */
export const guardConfig = (db: Db, accountId: number, revision: number) =>
  guard(
    db,
    sql`exists (select 1 from ldap_configs where account_id = ${accountId} and revision = ${revision})`,
    violation('LDAP_CONFIG_CHANGED'),
  )

export const endUndo = (db: Db, accountId: number, id: string) =>
  db.update(ldapRuns).set({ canUndo: 0 }).where(isRun(accountId, id))

/** Newest run of the present configuration, except those that another replaced or that ended with their configuration. */
export const selectNewestRun = (db: Db, accountId: number) =>
  db
    .select({
      state: as(ldapRuns.state, 'run_state'),
      failure: ldapRuns.failure,
      startedAt: ldapRuns.startedAt,
      endedAt: ldapRuns.endedAt,
    })
    .from(ldapRuns)
    .innerJoin(ldapConfigs, eq(ldapConfigs.accountId, ldapRuns.accountId))
    .where(
      and(
        eq(ldapRuns.accountId, accountId),
        inArray(ldapRuns.kind, ['list', 'sync']),
        gte(ldapRuns.startedAt, ldapConfigs.updatedAt),
        notInArray(
          ldapRuns.failure,
          (['LDAP_SUPERSEDED', 'LDAP_RUN_CLOSED'] as const).map((key) => toMessage(violation(key))),
        ),
      ),
    )
    .orderBy(desc(ldapRuns.startedAt))
    .limit(1)

export const selectRuns = (db: Db, accountId: number, limit: number, offset: number) =>
  db
    .select()
    .from(ldapRuns)
    .where(eq(ldapRuns.accountId, accountId))
    .orderBy(desc(ldapRuns.startedAt))
    .limit(limit)
    .offset(offset)

export const countRuns = (db: Db, accountId: number) =>
  db.all<[number]>(sql`select count(*) from ldap_runs where account_id = ${accountId}`)
