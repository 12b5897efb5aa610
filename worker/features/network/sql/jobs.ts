import { type Placeholder, type SQL, and, eq, gt, lt, sql } from 'drizzle-orm'
import type { NetworkJobKind } from '#contract/network/jobs.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Statements } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { type NetworkKey, isIn } from './settings.ts'
import { stateColumns } from '#features/router/sql/columns.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networks, networkJobs } from '#db/schema/networks.ts'
import { networkScope } from '#db/scope.ts'
import { JOB } from '#contract/network/limits.ts'

/* SQL of jobs for a network's devices: new ones, their state, pending ones, results. */

interface NewJob {
  readonly jobId: string
  readonly kind: NetworkJobKind
  readonly params: Readonly<Record<string, unknown>>
  readonly routerIds: readonly number[]
}

type Key = NetworkKey & { readonly id: number }

/** Inserts one row per device, and deletes old jobs. */
export const insertJob = (db: Db, key: Key, job: NewJob, now: number): Statements => ({
  old: deleteOldJobs(db, key, now),
  job: db.run(insertRows(key, job, now)),
})

/** The same, unless the same job waits: `same` is that job then. */
export const insertJobOnce = (db: Db, key: Key, job: NewJob, now: number) => {
  const waiting = selectSameJob(key, job, now)
  return {
    old: deleteOldJobs(db, key, now),
    same: db.all<[string]>(waiting),
    job: db.run(sql`${insertRows(key, job, now)} where not exists (${waiting})`),
  }
}

const deleteOldJobs = (db: Db, key: Key, now: number) =>
  db.delete(networkJobs).where(and(isIn(networkJobs, key), lt(networkJobs.createdAt, now - JOB.keptMs)))

const insertRows = (key: Key, { jobId, kind, params, routerIds }: NewJob, now: number): SQL => sql`
  insert into network_jobs (account_id, network_id, job_id, kind, router_id, params, created_at, expires_at)
  select ${key.accountId}, ${key.id}, ${jobId}, ${kind}, value, ${JSON.stringify(params)}, ${now}, ${now + JOB.waitMs}
  from json_each(${JSON.stringify(routerIds)})`

/** A job of the same kind and parameters for the same devices, none of which has answered. */
const selectSameJob = (key: Key, { kind, params, routerIds }: NewJob, now: number): SQL => sql`
  select job_id from network_jobs
  where network_id = ${key.id} and account_id = ${key.accountId} and kind = ${kind}
    and params = ${JSON.stringify(params)} and expires_at > ${now}
  group by job_id
  having count(*) = ${routerIds.length} and sum(state = 'pending'
    and router_id in (select value from json_each(${JSON.stringify(routerIds)}))) = ${routerIds.length}
  limit 1`

/** A POP node is shown by its area, because its note belongs to the operator. */
const noteOfDevice = sql<string>`coalesce(
  (select p.name from pop_members m join network_fr_areas a on a.id = m.area_id join pops p on p.id = a.pop_id
    where m.network_id = ${networkJobs.networkId} and m.router_id = ${networkJobs.routerId}),
  iif(${routers.accountId} = ${networkJobs.accountId}, ${routers.note}, ''))`

/** Devices of one job with their present state. */
export const selectJob = (db: Db, scope: Scope, number: string, jobId: string) =>
  db
    .select({
      kind: networkJobs.kind,
      state: networkJobs.state,
      reason: networkJobs.reason,
      data: networkJobs.data,
      createdAt: networkJobs.createdAt,
      expiresAt: networkJobs.expiresAt,
      routerName: routers.name,
      note: noteOfDevice.as('device_note'),
      device: stateColumns,
    })
    .from(networkJobs)
    .innerJoin(networks, eq(networks.id, networkJobs.networkId))
    .innerJoin(routers, eq(routers.id, networkJobs.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, networkJobs.routerId))
    .where(and(networkScope(scope), eq(networks.number, number), eq(networkJobs.jobId, jobId)))
    .orderBy(networkJobs.id)

/**
 * Pending jobs of a router's device, without resends, which are no commands. The oldest of each network come first, so that
 * jobs of one network do not hold up those of another on a POP node.
 */
export const selectPendingJobs = (db: Db, routerId: SQL, now: number | Placeholder) =>
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
    .orderBy(sql`row_number() over (partition by ${networkJobs.networkId} order by ${networkJobs.id})`, networkJobs.id)
    .limit(JOB.pendingMax)

/**
 * Saves results of devices. `sent`: rows `d` of results (JobResult) with their routers `r`. Jobs on a POP node belong to the
 * node's customers. The first result of a job counts.
 */
export const saveJobResults = (db: Db, sent: SQL) =>
  db.run(sql`
    update network_jobs set state = e.state, reason = e.reason, data = e.data
    from (select r.id as router_id, d.value ->> 'id' as job_id, d.value ->> 'state' as state, d.value ->> 'reason' as reason,
      d.value ->> 'data' as data from ${sent}) e
    where network_jobs.job_id = e.job_id and network_jobs.router_id = e.router_id and network_jobs.state = 'pending'`)
