import { HUB_READ } from '#contract/kernel/hub-limits.ts'
import { SingleFlight, wakeAt } from './async.ts'
import { FailureLog, currentRequestId, withRequestId } from './fault-log.ts'

/* Reads of a hub's database rows: throttled, one at a time, and repeated by the alarm until they succeed. */

/** Times at which a hub has read its rows, and has to read them again. */
export interface ReadTimes {
  /** Start of the newest read; null: none since the hub woke. */
  readonly startedAt: number | null
  /** Due time of a read that was requested, or that failed; null: none. */
  readonly dueAt: number | null
}

export const neverRead: ReadTimes = { startedAt: null, dueAt: null }

/** Pure: a request is due at once, or a second after the start of the newest read, with all requests of that second. */
export function onRequested(times: ReadTimes, now: number): ReadTimes {
  const { startedAt, dueAt } = times
  const isRecent = startedAt !== null && startedAt <= now && now < startedAt + HUB_READ.everyMs
  const at = isRecent ? startedAt + HUB_READ.everyMs : now
  return { startedAt, dueAt: Math.min(dueAt ?? at, at) }
}

/** Covers all requests so far. Unless it succeeds, the next one is due after a pause. */
export const onStarted = (now: number): ReadTimes => ({ startedAt: now, dueAt: now + HUB_READ.retryMs })

export const isReadDue = ({ dueAt }: ReadTimes, now: number): boolean => dueAt !== null && dueAt <= now

const PENDING_KEY = 'pending'

/**
 * The request is stored before the read and cleared when it succeeds, so that no outage, crash or eviction loses it. Its id
 * is stored with it: a read by the alarm is still that of the first caller who waits for it.
 */
export class PendingRead {
  private readonly ctx: Pick<DurableObjectState, 'storage' | 'id'>
  private readonly flight: SingleFlight
  private times: ReadTimes
  private requested = 0
  /** Requests that the read which started last covers. */
  private covered = 0
  /** True: the newest read has failed, and the account's hub says when to read again. */
  isLeft = false

  /** @param leave tells the account's hub of a failure; true if that takes over the retry */
  constructor(
    ctx: Pick<DurableObjectState, 'storage' | 'id'>,
    task: () => Promise<void>,
    leave: (error: unknown) => Promise<boolean> = async () => false,
  ) {
    this.ctx = ctx
    this.times = this.isPending() ? onRequested(neverRead, 0) : neverRead // due since before the hub woke
    const log = new FailureLog(ctx, 'read')
    this.flight = new SingleFlight(() => {
      this.covered = this.requested
      this.times = onStarted(Date.now())
      this.isLeft = false
      return log.watch(task).catch(async (error: unknown) => {
        this.isLeft = await leave(error)
        throw error
      })
    })
  }

  /**
   * Throttle: without a read in the last second it starts one and rejects if that fails; else it stores the request for
   * the alarm and resolves.
   */
  async request(): Promise<void> {
    await this.store()
    if (isReadDue(this.times, Date.now())) await this.flight.run() // a read that has started since covers it
  }

  /** Reads at once, for callers that need the rows as they are now. */
  async readNow(): Promise<void> {
    await this.store()
    await this.flight.run()
  }

  /** `readNow` for callers that a failure does not hold up: the alarm retries. */
  async attemptRead(): Promise<void> {
    await this.readNow().catch(() => {})
  }

  /** Clears the request unless there was another since this read started. Call in the turn of the writes it covers. */
  done(): void {
    if (this.covered !== this.requested) return
    this.ctx.storage.kv.delete(PENDING_KEY)
    this.times = { ...this.times, dueAt: null }
  }

  async runIfDue(): Promise<void> {
    if (this.dueAt() === null || !isReadDue(this.times, Date.now())) return
    await this.asRequested(() => this.flight.run()).catch(() => {}) // logged, and due again
  }

  /** Repeats a read that is left; true if none is left then. */
  async retry(): Promise<boolean> {
    if (this.dueAt() !== null) await this.asRequested(() => this.attemptRead())
    return !this.isLeft
  }

  /** Due time of the next read; null also after the hub has deleted its storage. */
  dueAt(): number | null {
    return this.isPending() ? this.times.dueAt : null
  }

  private async store(): Promise<void> {
    this.requested += 1
    this.times = onRequested(this.times, Date.now())
    const { kv } = this.ctx.storage
    if (!this.isPending()) kv.put(PENDING_KEY, currentRequestId() ?? '')
    // A read that starts now is due again after the pause, unless it succeeds.
    const isNow = isReadDue(this.times, Date.now())
    await wakeAt(this.ctx.storage, [isNow ? Date.now() + HUB_READ.retryMs : this.times.dueAt])
  }

  /** Runs a read under the stored id; one of an earlier release is a number. */
  private asRequested<T>(read: () => Promise<T>): Promise<T> {
    const id = this.ctx.storage.kv.get(PENDING_KEY)
    return withRequestId(typeof id === 'string' && id !== '' ? id : currentRequestId(), read)
  }

  private isPending(): boolean {
    return this.ctx.storage.kv.get(PENDING_KEY) !== undefined
  }
}
