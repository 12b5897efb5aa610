import { type SQL, and, between, desc, eq, getTableColumns, or, sql } from 'drizzle-orm'
import type { Scope } from '../../contract/session.ts'
import type { Db } from '../../db/client.ts'
import { as, contains, isOneOf } from '../../db/columns.ts'
import { isNamedLike, isOfMember } from '../../db/member-records.ts'
import { dialLogs, softwareLoginLogs } from '../../db/schema/clients.ts'

export interface LogFilter {
  readonly search: string
  /** Empty for all members. */
  readonly router_name: string
  readonly from: number
  readonly to: number
}

/** In the member's name, then or now, or in one of the columns. */
const isFound = (
  record: Parameters<typeof isNamedLike>[0],
  search: string,
  ...columns: readonly Parameters<typeof contains>[0][]
): SQL | undefined =>
  search === '' ? undefined : or(isNamedLike(record, search), ...columns.map((column) => contains(column, search)))

const dial = { ...getTableColumns(dialLogs), at: dialLogs.startAt }
const login = getTableColumns(softwareLoginLogs)

export const selectSoftwareLogins = (db: Db, accountId: number, { search, router_name, from, to }: LogFilter) =>
  db
    .select({
      router_name: as(softwareLoginLogs.routerName, 'router_name'),
      ip: softwareLoginLogs.ip,
      os: softwareLoginLogs.os,
      version: softwareLoginLogs.version,
      sys_brand: as(softwareLoginLogs.sysBrand, 'sys_brand'),
      sys_model: as(softwareLoginLogs.sysModel, 'sys_model'),
      sys_version: as(softwareLoginLogs.sysVersion, 'sys_version'),
      success: as(softwareLoginLogs.ok, 'success'),
      reason: softwareLoginLogs.reason,
      create_time: as(softwareLoginLogs.at, 'create_time'),
    })
    .from(softwareLoginLogs)
    .where(
      and(
        eq(softwareLoginLogs.accountId, accountId),
        router_name === '' ? undefined : isOfMember(login, router_name),
        between(softwareLoginLogs.at, from, to),
        isFound(login, search, softwareLoginLogs.ip),
      ),
    )
    .orderBy(desc(softwareLoginLogs.at), desc(softwareLoginLogs.id))

/** A role limited to networks sees dials into these. */
export const selectDials = (
  db: Db,
  { accountId, grants }: Scope,
  { search, router_name, from, to, mode, now }: LogFilter & { readonly mode: 'p2p' | 'pop'; readonly now: number },
) =>
  db
    .select({
      router_name: as(dialLogs.routerName, 'router_name'),
      network_number: as(dialLogs.networkNumber, 'network_number'),
      link_router_name: as(dialLogs.linkRouterName, 'link_router_name'),
      pop_name: as(dialLogs.popName, 'pop_name'),
      area: dialLogs.area,
      orig: dialLogs.orig,
      vpn_ip: as(dialLogs.vpnIp, 'vpn_ip'),
      start_time: as(dialLogs.startAt, 'start_time'),
      end_time: as(dialLogs.endAt, 'end_time'),
      online_time:
        sql<number>`cast(max(0, coalesce(${dialLogs.endAt}, ${now}) - ${dialLogs.startAt}) / 1000 as integer)`.as(
          'online_time',
        ),
    })
    .from(dialLogs)
    .where(
      and(
        eq(dialLogs.accountId, accountId),
        eq(dialLogs.mode, mode),
        grants.networks === null ? undefined : isOneOf(dialLogs.networkNumber, grants.networks),
        router_name === '' ? undefined : isOfMember(dial, router_name),
        between(dialLogs.startAt, from, to),
        isFound(dial, search, dialLogs.networkNumber, dialLogs.linkRouterName, dialLogs.popName),
      ),
    )
    .orderBy(desc(dialLogs.startAt), desc(dialLogs.id))
