import { FAN_OUT_MS } from '#contract/kernel/hub-limits.ts'
import { earliest } from '#contract/kernel/time.ts'

/* Helpers for concurrency and time in hubs: setting the alarm, single flight, throttle, limit of parallel tasks. */

interface AlarmStorage {
  getAlarm(): Promise<number | null>
  setAlarm(at: number): Promise<void>
}
export interface KvStorage {
  readonly kv: {
    get<T>(key: string): T | undefined
    put(key: string, value: unknown): void
    delete(key: string): boolean
  }
}

const ALARM_LATE_MS = 10_000

/**
 * Sets the hub's one alarm to the earliest of these times. It is only moved to an earlier time, because setting it is a
 * written row; a hub that wakes with nothing to do sets it again. An overdue one is set anew: the timer behind it does not
 * follow a clock that jumped forward.
 */
export async function wakeAt(storage: AlarmStorage, times: readonly (number | null)[]): Promise<void> {
  const due = earliest(times)
  if (due === null) return
  const now = Date.now()
  const at = Math.max(due, now)
  const set = await storage.getAlarm()
  if (set === null || at < set || set < now - ALARM_LATE_MS) await storage.setAlarm(at)
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

  get isRunning(): boolean {
    return this.running !== null
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

/** Runs at most `max` tasks at a time; the others wait in the order of their calls. */
export class Slots {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(max: number) {
    this.free = max
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.waiting.shift() // takes the slot over
      if (next) next()
      else this.free++
    }
  }
}
