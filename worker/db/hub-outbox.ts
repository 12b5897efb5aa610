import { sql } from 'drizzle-orm'
import type { HubKind, HubName, HubTask, Hubs } from '../contract/hubs.ts'
import { FAN_OUT, OUTBOX } from '../contract/limits.ts'
import { randomHex } from '../security/secrets.ts'
import { afterCommit } from './batch.ts'
import type { Db } from './client.ts'
import { fanOutWaitMs, inTurn, joinWaiting, recordFanOut, takeWaiting } from './fan-out.ts'
import { hubOutbox } from './schema/hub-outbox.ts'

/** Entries whose rows are deleted together. */
const PORTION = 200

interface Delivery {
  /** A hub that has not answered by then counts as failed: else one that hangs would block its portion. */
  readonly timeoutMs?: number
}

/** A row of the hub outbox. */
export interface OutboxEntry extends HubTask {
  readonly id: string
}

/**
 * Statement that puts entries into the hub outbox: part of the batch whose change they announce. The caller delivers them
 * after the batch has committed; the minute cron delivers what is left.
 */
export const insertOutboxEntries = (db: Db, entries: readonly OutboxEntry[], now: number) =>
  db.run(sql`
    insert into hub_outbox (id, kind, hub, op, due_at)
    select value ->> 'id', value ->> 'kind', value ->> 'hub', value ->> 'op', ${now + OUTBOX.sweepAfterMs}
    from json_each(${JSON.stringify(entries)})`)

/** What `notifyHubs` needs of a request. */
export interface OutboxContext {
  readonly db: Db
  readonly now: number
  /** Committed entries, which are delivered behind the answer. */
  readonly hubOutbox: OutboxEntry[]
}

/** Statement that stores the tasks in the `batch` of the change they announce. Once it commits, they await delivery. */
export function notifyHubs(ctx: OutboxContext, tasks: readonly HubTask[]) {
  if (tasks.length === 0) return undefined
  const entries = tasks.map((task) => ({ id: randomHex(16), ...task }))
  return afterCommit(insertOutboxEntries(ctx.db, entries, ctx.now), () => ctx.hubOutbox.push(...entries))
}

export const refreshTasks = (kind: HubKind, hubs: readonly HubName[]): HubTask[] =>
  hubs.map((hub) => ({ kind, hub, op: 'refresh' }))

export const entryColumns = { id: hubOutbox.id, kind: hubOutbox.kind, hub: hubOutbox.hub, op: hubOutbox.op }

/**
 * Calls the hubs of these entries, deletes the rows of those that answered and postpones the others. In portions, so
 * that a Worker cut off among thousands keeps what it has delivered; documents of routers last (fan-out.ts).
 */
export async function deliverOutbox(
  db: Db,
  hubs: Hubs,
  entries: readonly OutboxEntry[],
  now: number,
  delivery: Delivery = {},
): Promise<void> {
  const own = joinWaiting(entries, now)
  const isDocument = ({ kind, op }: OutboxEntry) => kind === 'router' && op !== 'remove'
  await deliverPortions(
    db,
    hubs,
    own.filter((entry) => !isDocument(entry)),
    now,
    delivery,
  )
  const documents = own.filter(isDocument)
  for (let ms; (ms = fanOutWaitMs(documents, Date.now())) > 0;) await new Promise((done) => setTimeout(done, ms))
  recordFanOut(documents, Date.now())
  await deliverPortions(db, hubs, documents, now, delivery)
}

async function deliverPortions(...[db, hubs, entries, now, delivery]: Required<Parameters<typeof deliverOutbox>>) {
  for (let at = 0; at < entries.length; at += PORTION)
    await deliverPortion(db, hubs, entries.slice(at, at + PORTION), now, delivery)
}

async function deliverPortion(
  db: Db,
  hubs: Hubs,
  entries: readonly OutboxEntry[],
  now: number,
  { timeoutMs = OUTBOX.answerMs }: Delivery,
): Promise<void> {
  const ids = { fulfilled: [] as string[], rejected: [] as string[] }
  const call = async (entry: OutboxEntry) => {
    const covered = takeWaiting(entry)
    if (covered.length === 0) return
    const [{ status }] = await Promise.allSettled([within(timeoutMs, callHub(hubs, entry))])
    ids[status].push(...covered)
  }
  for (let at = 0; at < entries.length; at += FAN_OUT.group) {
    const group = entries.slice(at, at + FAN_OUT.group)
    await inTurn(entries.length > FAN_OUT.group, () => Promise.all(group.map(call)))
  }
  await db.batch([
    db.run(sql`delete from hub_outbox where id in (select value from json_each(${JSON.stringify(ids.fulfilled)}))`),
    db.run(sql`
      update hub_outbox set tries = tries + 1, due_at = ${now} + min(${OUTBOX.maxRetryMs}, ${OUTBOX.sweepAfterMs} << min(tries, 10))
      where id in (select value from json_each(${JSON.stringify(ids.rejected)}))`),
  ])
}

function callHub(hubs: Hubs, { kind, hub, op }: HubTask): Promise<void> {
  if (kind === 'account') return hubs.account(hub).refresh()
  if (kind === 'network') return op === 'remove' ? hubs.network(hub).remove() : hubs.network(hub).refresh()
  const router = hubs.router(hub)
  return op === 'remove' ? router.remove() : op === 'resend' ? router.resend() : router.refresh()
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
