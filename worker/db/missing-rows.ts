import { type SQL, and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { HUB_HOLD, HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import type { HubName, MissingKind } from '#contract/kernel/hubs.ts'
import { type CronRun, auditSystemRows } from './audit.ts'
import { batch } from './batch.ts'
import type { Db } from './client.ts'
import { hubHolds, missingRows } from './schema/service.ts'

/* Missing rows of hubs and devices, and the operator's hold, which switches itself on when many are missing. */

export interface MissingRow {
  readonly kind: MissingKind
  /** Name of the hub, or serial of the device. */
  readonly name: HubName
  /** Serial of the device; null for hubs without one. */
  readonly serial: string | null
}

/** Rows that have been missing since the operator's last decision, at most a window ago. */
const recentCount = (now: number): SQL => sql`(select count(*) from missing_rows where first_at >
  max(${now - HUB_HOLD.windowMs}, coalesce((select changed_at from hub_holds where id = 1), 0)))`

/**
 * Counts a missing row and switches the hold on if there are too many; true if it did. A row that is reported often is
 * written at most every `repeatMs`, and counts again once it was not reported for a whole window.
 */
export async function reportMissing(db: Db, { kind, name, serial }: MissingRow, run: CronRun): Promise<boolean> {
  const { now } = run
  const isDue = sql`${recentCount(now)} > ${HUB_HOLD.max}
    and not exists (select 1 from hub_holds where id = 1 and since is not null)`
  const { switched } = await batch(db, {
    row: db.run(sql`
      insert into missing_rows (name, kind, serial, first_at, last_at) values (${name}, ${kind}, ${serial}, ${now}, ${now})
      on conflict (name) do update set
        first_at = case when last_at <= ${now - HUB_HOLD.windowMs} then excluded.first_at else first_at end,
        serial = excluded.serial, last_at = excluded.last_at
        where last_at <= ${now - HUB_HOLD.repeatMs}`),
    audit: auditSystemRows(
      db,
      run,
      { module: 'ops', action: 'hubs/hold_on', message: '缺失的数据行过多，自动暂停设备清理' },
      sql`select 0 as account_id, 'hubs' as target, '' as name where ${isDue}`,
    ),
    switched: db.all<[number]>(sql`
      insert into hub_holds (id, since, changed_at, changed_by) select 1, ${now}, ${now}, '' where ${isDue}
      on conflict (id) do update set since = excluded.since, changed_at = excluded.changed_at, changed_by = ''
      returning 1`),
  })
  return switched.length > 0
}

/** The hold that is on; no row while it is off. */
export const selectHold = (db: Db) =>
  db
    .select({ since: sql<number>`${hubHolds.since}`.as('held_since') })
    .from(hubHolds)
    .where(and(eq(hubHolds.id, 1), isNotNull(hubHolds.since)))

/** Last switch of the hold, and the number of rows that count towards the next one by itself. */
export const selectHoldStatus = (db: Db, now: number) => ({
  hold: db
    .select({ since: hubHolds.since, changedAt: hubHolds.changedAt, changedBy: hubHolds.changedBy })
    .from(hubHolds)
    .where(eq(hubHolds.id, 1)),
  recent: db.all<[number]>(sql`select ${recentCount(now)}`),
})

/** Switches the hold. One that is on already keeps its begin. */
export const switchHold = (db: Db, isOn: boolean, by: string, now: number) =>
  db.run(sql`
    insert into hub_holds (id, since, changed_at, changed_by) values (1, ${isOn ? now : null}, ${now}, ${by})
    on conflict (id) do update set changed_at = excluded.changed_at, changed_by = excluded.changed_by,
      since = case when excluded.since is null then null else coalesce(hub_holds.since, excluded.since) end`)

/** Condition on a row of `missing_rows`: its hub or device has no row still. One of a restored database may be back. */
const isStillMissing = sql`/* every account */ case missing_rows.kind
  when 'router' then not exists (select 1 from routers r where r.hub = missing_rows.name)
  when 'network' then not exists (select 1 from networks n where n.hub = missing_rows.name)
  when 'account' then not exists (select 1 from accounts a where a.hub = missing_rows.name)
  when 'directory' then not exists (select 1 from ldap_hubs l where l.hub = missing_rows.name)
  else not exists (select 1 from devices d join routers r on r.device_id = d.id where d.serial = missing_rows.name) end`

export const countStillMissing = (db: Db) =>
  db.all<[MissingKind, number]>(
    sql`select kind, count(*) from missing_rows where ${isStillMissing} group by kind order by kind`,
  )

/** Serials and hubs, those that have been missing longest first. */
export const selectStillMissing = (db: Db) =>
  db
    .select()
    .from(missingRows)
    .where(isStillMissing)
    .orderBy(asc(missingRows.firstAt), asc(missingRows.name))
    .limit(HUB_HOLD.listed)

/** Devices of forgotten rows are removed at their next connection. A device that has a row by now is left alone. */
const insertForgottenDevices = (db: Db, now: number) =>
  db.run(sql`
    insert into removed_devices (serial, public_key, removed_at)
    select distinct serial, null, ${now} from missing_rows
    where serial is not null and ${isStillMissing}
      and not exists (select 1 from devices d join routers r on r.device_id = d.id where d.serial = missing_rows.serial)
    on conflict (serial) do update set public_key = null, removed_at = excluded.removed_at`)

/** Statements that remove what is still missing: devices when they connect, hubs by the outbox, which the cron delivers. */
export const forgetMissing = (db: Db, now: number) => ({
  devices: insertForgottenDevices(db, now),
  hubs: db.run(sql`
    insert into hub_outbox (id, kind, hub, op, due_at)
    select lower(hex(randomblob(16))), kind, name, 'remove', ${now + HUB_OUTBOX.sweepAfterMs} from missing_rows
    where kind in ('router', 'network', 'account') and ${isStillMissing}`),
  rows: db.all<[string]>(sql`delete from missing_rows where ${isStillMissing} returning name`),
})
