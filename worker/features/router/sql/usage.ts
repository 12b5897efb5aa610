import { type SQL, and, between, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { contains, isOneOf } from '#db/columns.ts'
import { isOfMember, currentMemberName } from '#features/logs/sql/member-records.ts'
import { dialLogs } from '#db/schema/clients.ts'
import { networks } from '#db/schema/networks.ts'

interface UsageFilter {
  readonly search: string
  /** Name of a member; empty for all members. */
  readonly router_name: string
  readonly from: number
  readonly to: number
}

const dial = { ...getTableColumns(dialLogs), at: dialLogs.startAt }

/** Traffic by member under its present name, of one by network. A role limited to networks sees what went into these. */
export function selectUsage(db: Db, { accountId, grants }: Scope, { search, router_name, from, to }: UsageFilter) {
  const name: SQL =
    router_name === '' ? currentMemberName(dial) : sql`coalesce(${networks.name}, ${dialLogs.networkNumber})`
  const [down, up] = [sql<number>`sum(${dialLogs.tx})`, sql<number>`sum(${dialLogs.rx})`]
  return db
    .select({
      name: sql<string>`min(${name})`.as('name'),
      download_flow_sum: down.as('download_flow_sum'),
      upload_flow_sum: up.as('upload_flow_sum'),
    })
    .from(dialLogs)
    .leftJoin(networks, and(eq(networks.accountId, dialLogs.accountId), eq(networks.number, dialLogs.networkNumber)))
    .where(
      and(
        eq(dialLogs.accountId, accountId),
        eq(dialLogs.isLink, 0),
        grants.networks === null ? undefined : isOneOf(dialLogs.networkNumber, grants.networks),
        router_name === '' ? undefined : isOfMember(dial, router_name),
        between(dialLogs.startAt, from, to),
        search === '' ? undefined : contains(name, search),
      ),
    )
    .groupBy(router_name === '' ? sql`lower(${name})` : dialLogs.networkNumber)
    .orderBy(desc(sql`${down} + ${up}`), sql`1`)
}
