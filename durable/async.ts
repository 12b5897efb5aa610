import { FAN_OUT_MS } from '../worker/contract/limits.ts'
import { FailureLog } from './fault-log.ts'

/**
 * Sets the hub's one alarm to the earliest of these times. It is only moved to an earlier time, because setting it is a
 * written row; a hub that wakes with nothing to do sets it again.
 */
export async function wakeAt(storage: DurableObjectStorage, times: readonly (number | null)[]): Promise<void> {
  const due = times.filter((time) => time !== null)
  if (due.length === 0) return
  const at = Math.max(Math.min(...due), Date.now())
  const set = await storage.getAlarm()
  if (set === null || at < set) await storage.setAlarm(at)
}

/**
 * Runs a task one at a time. Callers that arrive during a run share one run that starts after it, so that a run always
 * sees what its callers wrote before they asked.
 */
export class SingleFlight {
  private running: Promise<void> | null = null
  private next: Promise<void> | null = null
  private readonly task: () => Promise<void>

  constructor(task: () => Promise<void>) {
    this.task = task
  }

  run(): Promise<void> {
    if (this.next) return this.next
    if (!this.running) return this.start()
    const start = () => this.start()
    this.next = this.running.then(start, start)
    return this.next
  }

  private start(): Promise<void> {
    this.next = null
    const run = this.task().finally(() => {
      if (this.running === run) this.running = null
    })
    this.running = run
    return run
  }
}

const PENDING_KEY = 'pending'
const RETRY_MS = 30_000

/**
 * A persisted "re-read needed" flag around a single-flight read. Set before the read and cleared when it succeeds; an alarm
 * retries it, so that a database outage or a crash cannot lose the request.
 */
export class PendingFlag {
  private readonly ctx: Pick<DurableObjectState, 'storage' | 'id'>
  private readonly flight: SingleFlight
  /** Counts requests; the stored flag is this number. */
  private requested: number
  /** Requests that the run which started last covers. */
  private covered = 0

  constructor(ctx: Pick<DurableObjectState, 'storage' | 'id'>, task: () => Promise<void>) {
    this.ctx = ctx
    this.requested = ctx.storage.kv.get<number>(PENDING_KEY) ?? 0
    const log = new FailureLog(ctx, 'read')
    this.flight = new SingleFlight(() => {
      this.covered = this.requested
      return log.watch(task)
    })
  }

  /** Rejects if the task rejects; the flag then stays set, and the failure is logged once (FailureLog). */
  async run(): Promise<void> {
    this.requested += 1
    this.ctx.storage.kv.put(PENDING_KEY, this.requested)
    await wakeAt(this.ctx.storage, [this.dueAt()])
    await this.flight.run()
  }

  /** As `run`, where a failure holds up nothing: the alarm retries. */
  async tryRun(): Promise<void> {
    await this.run().catch(() => {})
  }

  /** Clears the flag unless the read was requested again since this run started. Call in the turn of the writes it covers. */
  done(): void {
    if (this.covered === this.requested) this.ctx.storage.kv.delete(PENDING_KEY)
  }

  async retry(): Promise<void> {
    if (this.dueAt() === null) return
    await this.flight.run().catch(() => {}) // logged, and due again
  }

  dueAt(): number | null {
    return this.ctx.storage.kv.get(PENDING_KEY) === undefined ? null : Date.now() + RETRY_MS
  }
}

/** Throttle with a leading call: the first trigger runs at once, those within the next interval run as one at its end. */
export class Throttle {
  private timer: ReturnType<typeof setTimeout> | null = null
  private isPending = false
  private readonly flush: () => void
  private readonly intervalMs: number

  constructor(flush: () => void, intervalMs: number = FAN_OUT_MS) {
    this.flush = flush
    this.intervalMs = intervalMs
  }

  /** The timer keeps the hub awake, so a pending call is not lost to hibernation. */
  trigger(): void {
    if (this.timer !== null) {
      this.isPending = true
      return
    }
    this.flush()
    this.timer = setTimeout(() => {
      this.timer = null
      if (!this.isPending) return
      this.isPending = false
      this.trigger()
    }, this.intervalMs)
  }
}
