import { type SQL, and, eq, gt, lt, sql } from 'drizzle-orm'
import { JOB } from '../contract/limits.ts'
import type { JobResult, NetworkJobKind } from '../contract/network-jobs.ts'
import type { Scope } from '../contract/session.ts'
import type { Statements } from './batch.ts'
import type { Db } from './client.ts'
import { type NetworkKey, isIn } from './network-settings.ts'
import { stateColumns } from './router-state.ts'
import { routerStates, routers } from './schema/members.ts'
import { networkJobs } from './schema/network-jobs.ts'
import { networks } from './schema/networks.ts'
import { networkScope } from './scope.ts'

interface NewJob {
  readonly jobId: string
  readonly kind: NetworkJobKind
  readonly params: Readonly<Record<string, unknown>>
  readonly routerIds: readonly number[]
}

/** One row a device; those that are long over go. */
export const insertJob = (
  db: Db,
  key: NetworkKey & { readonly id: number },
  { jobId, kind, params, routerIds }: NewJob,
  now: number,
): Statements => ({
  old: db.delete(networkJobs).where(and(isIn(networkJobs, key), lt(networkJobs.createdAt, now - JOB.keptMs))),
  job: db.run(sql`
    insert into network_jobs (account_id, network_id, job_id, kind, router_id, params, created_at, expires_at)
    select ${key.accountId}, ${key.id}, ${jobId}, ${kind}, value, ${JSON.stringify(params)}, ${now}, ${now + JOB.waitMs}
    from json_each(${JSON.stringify(routerIds)})`),
})

/** The devices of one job, as they stand. */
export const selectJob = (db: Db, scope: Scope, number: string, jobId: string) =>
  db
    .select({
      kind: networkJobs.kind,
      state: networkJobs.state,
      reason: networkJobs.reason,
      createdAt: networkJobs.createdAt,
      expiresAt: networkJobs.expiresAt,
      routerName: routers.name,
      note: routers.note,
      device: stateColumns,
    })
    .from(networkJobs)
    .innerJoin(networks, eq(networks.id, networkJobs.networkId))
    .innerJoin(routers, eq(routers.id, networkJobs.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, networkJobs.routerId))
    .where(and(networkScope(scope), eq(networks.number, number), eq(networkJobs.jobId, jobId)))
    .orderBy(networkJobs.id)

/** What the device of this router has to run, the oldest first. A resend is no command. */
export const selectPendingJobs = (db: Db, routerId: SQL, now: number) =>
  db
    .select({
      id: networkJobs.jobId,
      kind: networkJobs.kind,
      params: networkJobs.params,
      expiresAt: networkJobs.expiresAt,
    })
    .from(networkJobs)
    .where(
      and(
        sql`${networkJobs.routerId} = ${routerId}`,
        eq(networkJobs.state, 'pending'),
        sql`${networkJobs.kind} <> 'resend'`,
        gt(networkJobs.expiresAt, now),
      ),
    )
    .orderBy(networkJobs.id)
    .limit(JOB.pendingMax)

/** Results of the device of `router`, a query of its row by hub and account. The first of a job counts. */
export const saveJobResults = (db: Db, accountId: number, router: SQL, results: readonly JobResult[]) =>
  db.run(sql`
    update network_jobs set state = e.value ->> 'state', reason = e.value ->> 'reason'
    from json_each(${JSON.stringify(results)}) e
    where account_id = ${accountId} and job_id = e.value ->> 'id' and network_jobs.state = 'pending'
      and router_id = (select id ${router})`)
