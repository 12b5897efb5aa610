import { type SQL, eq, getTableColumns, sql } from 'drizzle-orm'
import { PROVIDER } from '#contract/kernel/limits.ts'
import type { Channel } from '#contract/kernel/outside.ts'
import type { Db } from './client.ts'
import { providerStatus } from './schema/service.ts'

/* State of the mail and SMS providers: records of deliveries and checks, and whether one is down. */

/**
 * True while the provider of a channel is down, by its checks and by deliveries to recipients that the requester typed.
 * Looked-up recipients never count, so that the answer for one name reveals nothing about another.
 */
export const isProviderDown = (channel: Channel, now: number): SQL =>
  sql`exists (select 1 from provider_status where channel = ${channel} and ${isDownAt(now)})`

const isDownAt = (now: number) =>
  sql<0 | 1>`(is_down = 1 or (failures >= ${PROVIDER.failures} and counted_at > ${now - PROVIDER.pauseMs}))`

/** Delivery to record. `isCounted` is true if the requester typed the recipient. */
interface Delivery {
  readonly isCounted: boolean
}

/** Records a success; writes nothing if a recent success is recorded. */
export const recordSuccess = (db: Db, channel: Channel, { isCounted }: Delivery, now: number) => {
  const ends = isCounted ? sql`, failures = 0, is_down = 0` : sql``
  const isNews = isCounted ? sql`failures > 0 or is_down = 1 or` : sql``
  return db.run(sql`
    insert into provider_status (channel, succeeded_at) values (${channel}, ${now})
    on conflict (channel) do update set succeeded_at = excluded.succeeded_at${ends}
      where ${isNews} coalesce(succeeded_at, 0) < ${now - PROVIDER.quietMs}`)
}

export const recordFailure = (
  db: Db,
  channel: Channel,
  { words, isCounted }: Delivery & { readonly words: string },
  now: number,
) => {
  const counts = isCounted ? sql`, failures = failures + 1, counted_at = ${now}` : sql``
  return db.run(sql`
    insert into provider_status (channel, failed_at, failure, failures, counted_at)
    values (${channel}, ${now}, ${words}, ${isCounted ? 1 : 0}, ${isCounted ? now : 0})
    on conflict (channel) do update set failed_at = excluded.failed_at, failure = excluded.failure${counts}`)
}

/** Claims the due check of a channel, so that two runs do not both ask; returns no row if none is due. */
export const claimCheck = (db: Db, channel: Channel, now: number) =>
  db.all<[string]>(sql`
    insert into provider_status (channel, checked_at) values (${channel}, ${now})
    on conflict (channel) do update set checked_at = excluded.checked_at
      where checked_at <= ${now} - case when is_down = 1 then ${PROVIDER.checkDownMs} else ${PROVIDER.checkMs} end
    returning channel`)

/** Records a failed check: nothing is sent until a check succeeds. */
export const recordDown = (db: Db, channel: Channel, words: string, now: number) =>
  db.update(providerStatus).set({ isDown: 1, failedAt: now, failure: words }).where(eq(providerStatus.channel, channel))

/** Records a successful check. It ends the state of a failed check, but not that of failed deliveries in a row. */
export const recordUp = (db: Db, channel: Channel) =>
  db.update(providerStatus).set({ isDown: 0 }).where(eq(providerStatus.channel, channel))

export const selectProviderStatus = (db: Db, now: number) =>
  db.select({ ...getTableColumns(providerStatus), isDown: isDownAt(now) }).from(providerStatus)
