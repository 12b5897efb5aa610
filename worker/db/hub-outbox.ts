import { lte, asc, gt, type SQL, eq, sql } from 'drizzle-orm'
import type { HubKind, HubName, HubTask, Hubs, OutboxEntry } from '#contract/kernel/hubs.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { randomHex } from '#security/secrets.ts'
import { afterCommit, batch } from './batch.ts'
import type { Db } from './client.ts'
import { pause, within, mapLimit } from './concurrency.ts'
import { accounts } from './schema/accounts.ts'
import { hubOutbox } from './schema/service.ts'

/* Hub outbox: entries written with a change, their delivery to hubs, and the repeat of failed ones. */

/** Number of hubs that one request or sweep calls at the same time. */
const CONCURRENCY = 32
/** Number of entries whose rows are deleted together. */
const PORTION = 200

interface Delivery {
  /** Time-out of a hub, so that a hub which hangs does not block its portion. */
  readonly timeoutMs?: number
  /** Pause between two calls: one account must not fill the queues that all accounts share. */
  readonly gapMs?: number
}

/** Origin of entries. */
interface Origin {
  /** Id of the request or cron run. */
  readonly requestId?: string | undefined
  /** Account whose erasure waits until these are delivered. */
  readonly erasure?: number
}

/**
 * Statement that puts entries into the hub outbox, in the batch of the change that they announce. The caller delivers them
 * after the commit; the minute cron delivers the rest.
 */
export function insertOutboxEntries(
  db: Db,
  entries: readonly OutboxEntry[],
  now: number,
  { requestId = '', erasure }: Origin = {},
) {
  const dueAt = sweepTime(entries.length, now)
  return db.run(sql`
    insert into hub_outbox (id, kind, hub, op, due_at, first_due_at, erasure, request_id)
    select value ->> 'id', value ->> 'kind', value ->> 'hub', value ->> 'op', ${dueAt}, ${dueAt}, ${erasure ?? null}, ${requestId}
    from json_each(${JSON.stringify(entries)})`)
}

/** Time from which the cron takes the entries of a write; later for many, which the account's hub delivers slowly. */
const sweepTime = (entries: number, now: number): number =>
  now + HUB_OUTBOX.sweepAfterMs + (entries > HUB_OUTBOX.directMax ? entries * HUB_OUTBOX.callGapMs : 0)

export interface OutboxContext {
  readonly db: Db
  readonly now: number
  /** Committed entries, to be delivered after the answer. */
  readonly hubOutbox: OutboxEntry[]
  /** Id of the request or cron run, which the entries keep. */
  readonly requestId?: string
}

/** Statement that stores the tasks in the `batch` of their change. After the commit they await delivery. */
export function notifyHubs(ctx: OutboxContext, tasks: readonly HubTask[]) {
  if (tasks.length === 0) return undefined
  const { db, now, hubOutbox, requestId = '' } = ctx
  const entries = tasks.map((task) => ({ id: randomHex(16), requestId, ...task }))
  return afterCommit(insertOutboxEntries(db, entries, now, { requestId }), () => hubOutbox.push(...entries))
}

/** Row of the outbox that a statement has added. */
export type OutboxRow = readonly [id: OutboxEntry['id'], kind: HubKind, hub: HubName]
export const toRefreshEntries = (rows: readonly OutboxRow[], requestId = ''): OutboxEntry[] =>
  rows.map(([id, kind, hub]) => ({ id, kind, hub, op: 'refresh', requestId }))

/** Inserts a refresh of each hub that `hubs` selects by kind and name; no read before the write is needed. */
const insertRefreshes = (hubs: SQL, dueAt: number, { requestId = '', erasure }: Origin = {}): SQL => sql`
  insert into hub_outbox (id, kind, hub, op, due_at, first_due_at, erasure, request_id)
  select lower(hex(randomblob(16))), kind, hub, 'refresh', ${dueAt}, ${dueAt}, ${erasure ?? null}, ${requestId} from (${hubs})`

/** Inserts refreshes and returns their rows to a caller that delivers them; the cron takes them from `dueAt` on. */
export const insertOutboxFrom = (db: Db, hubs: SQL, dueAt: number, origin?: Origin) =>
  db.all<OutboxRow>(sql`${insertRefreshes(hubs, dueAt, origin)} returning id, kind, hub`)

/** Inserts refreshes that the cron delivers. */
export const queueOutboxFrom = (db: Db, hubs: SQL, now: number) => db.run(insertRefreshes(hubs, now))

/** The same in the `batch` of a request or a job: once it commits, they await delivery. */
export const notifyHubsFrom = ({ db, now, hubOutbox, requestId }: OutboxContext, hubs: SQL) =>
  afterCommit(
    insertOutboxFrom(db, hubs, now + HUB_OUTBOX.sweepAfterMs, { requestId }),
    (rows) => void hubOutbox.push(...toRefreshEntries(rows, requestId)),
  )

/** Makes the hubs of routers read their rows again. `ids` selects the ids of the routers. */
export const refreshRouters = (ctx: OutboxContext, ids: SQL) =>
  notifyHubsFrom(ctx, sql`select 'router' as kind, r.hub as hub from routers r where r.id in (${ids})`)

/** Refresh tasks of hubs, by their names or by rows with their names. */
export const refreshTasks = (kind: HubKind, hubs: readonly (HubName | { readonly hub: HubName })[]): HubTask[] =>
  hubs.map((one) => ({ kind, hub: typeof one === 'string' ? one : one.hub, op: 'refresh' }))

const entryColumns = {
  id: hubOutbox.id,
  kind: hubOutbox.kind,
  hub: hubOutbox.hub,
  op: hubOutbox.op,
  requestId: hubOutbox.requestId,
}

/**
 * Calls the hubs of these entries, deletes the rows of hubs that answered and postpones the others. It works in portions,
 * so that a Worker that is stopped keeps its progress. Returns the number of failures.
 */
export async function deliverOutbox(
  db: Db,
  hubs: Hubs,
  entries: readonly OutboxEntry[],
  now: number,
  delivery: Delivery = {},
): Promise<number> {
  let failed = 0
  for (let at = 0; at < entries.length; at += PORTION)
    failed += await deliverPortion(db, hubs, entries.slice(at, at + PORTION), now, delivery)
  return failed
}

async function deliverPortion(
  db: Db,
  hubs: Hubs,
  entries: readonly OutboxEntry[],
  now: number,
  { timeoutMs = HUB_OUTBOX.answerMs, gapMs = 0 }: Delivery,
): Promise<number> {
  const tasks = [...addEntries(new Map(), entries).values()]
  const results = await mapLimit(tasks, CONCURRENCY, async ([task], place) => {
    if (gapMs > 0) await pause(place * gapMs)
    if (task) await within(timeoutMs, callHub(hubs, task))
  })
  const idsWithStatus = (status: 'fulfilled' | 'rejected') =>
    JSON.stringify(tasks.flatMap((same, i) => (results[i]?.status === status ? same.map(({ id }) => id) : [])))
  await batch(db, {
    delivered: db.run(
      sql`delete from hub_outbox where id in (select value from json_each(${idsWithStatus('fulfilled')}))`,
    ),
    failed: db.run(sql`
      update hub_outbox set tries = tries + 1, due_at = ${now} + min(${HUB_OUTBOX.maxRetryMs}, ${HUB_OUTBOX.sweepAfterMs} << min(tries, 10))
      where id in (select value from json_each(${idsWithStatus('rejected')}))`),
  })
  return results.filter(({ status }) => status === 'rejected').length
}

/** Entries by task: entries of the same task are one call. */
export type EntriesByTask = Map<string, OutboxEntry[]>

export function addEntries(to: EntriesByTask, entries: readonly OutboxEntry[]): EntriesByTask {
  for (const entry of entries) {
    const key = `${entry.kind} ${entry.hub} ${entry.op}`
    const same = to.get(key)
    if (same) same.push(entry)
    else to.set(key, [entry])
  }
  return to
}

/**
 * Delivers the entries of one write. Many entries go to the account's hub, which delivers the entries of all its writes at
 * an even pace, so that no account delays another; those of the operator, who has none, are delivered here at the same
 * pace. After a failure the cron takes the rows.
 */
export async function deliverWrite(
  db: Db,
  hubs: Hubs,
  accountHub: () => Promise<HubName | undefined>,
  entries: readonly OutboxEntry[],
): Promise<void> {
  const isLarge = entries.length > HUB_OUTBOX.directMax
  const hub = isLarge ? await accountHub() : undefined
  const gapMs = isLarge ? HUB_OUTBOX.callGapMs : 0
  if (hub === undefined) await deliverOutbox(db, hubs, entries, Date.now(), { gapMs })
  else await hubs.account(hub).deliver(entries)
}

export async function readAccountHub(db: Db, accountId: number): Promise<HubName | undefined> {
  const [account] = await db.select({ hub: accounts.hub }).from(accounts).where(eq(accounts.id, accountId))
  return account?.hub
}

/** The call carries the id of the request that its entry comes from; of one call for several, that of the first. */
function callHub(hubs: Hubs, { kind, hub, op, requestId }: OutboxEntry): Promise<void> {
  if (kind !== 'router') {
    const target = kind === 'account' ? hubs.account(hub, requestId) : hubs.network(hub, requestId)
    return op === 'remove' ? target.remove() : target.refresh()
  }
  const router = hubs.router(hub, requestId)
  return op === 'remove' ? router.remove() : op === 'resend' ? router.resend() : router.refresh()
}

/** A row if the removal of this hub is on its way: its missing row is that of a deletion then. */
export const selectRemoval = (db: Db, hub: HubName) =>
  db
    .select({ id: hubOutbox.id })
    .from(hubOutbox)
    .where(sql`${hubOutbox.hub} = ${hub} and ${hubOutbox.op} = 'remove'`) // the literal of its index
    .limit(1)

/** Due entries, whose delivery was lost or has failed; oldest first, so that hubs which fail do not delay the rest. */
export const selectDueEntries = (db: Db, now: number, limit: number) =>
  db.select(entryColumns).from(hubOutbox).where(lte(hubOutbox.dueAt, now)).orderBy(asc(hubOutbox.dueAt)).limit(limit)

/** Portion of all outbox entries, due or not. */
export const selectEntriesAfter = (db: Db, id: string, limit: number) =>
  db.select(entryColumns).from(hubOutbox).where(gt(hubOutbox.id, id)).orderBy(asc(hubOutbox.id)).limit(limit)

/** Entries of an account's erasure that no hub has answered yet. */
export const selectErasureEntries = (db: Db, accountId: number, limit: number) =>
  db
    .select(entryColumns)
    .from(hubOutbox)
    .where(eq(hubOutbox.erasure, accountId))
    .orderBy(asc(hubOutbox.dueAt))
    .limit(limit)
