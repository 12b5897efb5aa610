import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { LAST_MIGRATION } from '#db/schema/last-migration.ts'
import { selectHoldStatus } from '#db/missing-rows.ts'
import { selectProviderStatus } from '#db/provider-status.ts'
import { selectJobRun } from '#db/retention.ts'
import { STATUS } from '#contract/ops/limits.ts'

/* Statements behind the operator's status: one batch, whose cost does not grow with the accounts but for counts of indexes. */

/** Row of `job_runs` with the last run of the minute cron. */
export const CRON_JOB = 'cron'

/** Conditions as they stand in the indexes of 0063_request_ids.sql. */
const PRESENT = sql`presence in ('online', 'reconnecting', 'flapping') and remote_host is not null`
const UNAPPLIED = sql`config_state in ('pushing', 'failed', 'reverted', 'unsynced')`

/** Number of routers that are there, and answer. */
export const selectPresent = (db: Db) =>
  db.all<[number]>(sql`/* every account */
    select (select count(*) from router_states where ${PRESENT})
      - (select count(*) from router_states where unreadable_since is not null and ${PRESENT}) as present`)

export const selectStatus = (db: Db, now: number) => ({
  migrations: db.all<[string | null, number | null]>(
    sql`select max(name) as newest, max(name = ${LAST_MIGRATION}) as is_there from d1_migrations`,
  ),
  outbox: db.all<[number, number, number | null]>(sql`/* every account */
    select count(*) as waiting, coalesce(sum(${isStuck(now)}), 0) as stuck,
      min(case when ${isStuck(now)} then coalesce(first_due_at, due_at) end) as oldest from hub_outbox`),
  present: selectPresent(db),
  unreadable: db.all<[number, number | null]>(sql`
    select count(*) as routers, min(unreadable_since) as since from router_states where unreadable_since is not null`),
  documents: db.all<[number, number | null]>(sql`
    select count(*) as routers, min(config_at) as since from router_states
    where ${UNAPPLIED} and config_at <= ${now - STATUS.documentMs} and ${PRESENT}`),
  directories: db.all<[number, number]>(sql`/* every account */
    select count(*) as directories, coalesce(sum('failed' = (
      select state from ldap_runs r where r.account_id = c.account_id order by started_at desc limit 1)), 0) as failing
    from ldap_configs c`),
  providers: selectProviderStatus(db, now),
  ...selectHoldStatus(db, now),
  cron: selectJobRun(db, CRON_JOB),
})

/** Notice that a hub has refused, or that nobody has tried in time. */
const isStuck = (now: number) => sql`(tries > 0 or due_at <= ${now - STATUS.sweepLateMs})`
