import { z } from 'zod'
import type { SentDocument } from '#contract/device/document.ts'
import { DIAL } from '#contract/kernel/hub-limits.ts'
import { DIALS_PER_FRAME, type DialReport } from '#contract/kernel/protocol.ts'
import type { Clock } from '../clock.ts'
import type { Store } from '../store.ts'

/* Reports dials into a device to the hub until they are acknowledged. */

/** Source of dials: the services of a device. */
export interface DialSource {
  start(report: (...dials: readonly Dial[]) => void): void
  /** Sets the document that runs now: it names who may dial in. */
  serve(document: SentDocument | null): void
  /**
   * Ends the open dials of one member in a network; answers their number. The member's client dials again by itself,
   * unless it is halted: then its person has to.
   * @param profile ends only dials with this profile; null for any.
   */
  end(networkNumber: string, name: string, isHalted: boolean, profile: number | null): number
  /** Ends the dials that are open. */
  stop(): void
}

const RECORD = 'dials'
const OPEN_RECORD = 'open-dials'

/** Dial into a service of this device; times by its own clock. */
const dial = z.object({
  key: z.string(),
  network_number: z.string(),
  name: z.string(),
  remote: z.string(),
  beganAt: z.number(),
  endedAt: z.number().nullable(),
  rx: z.number(),
  tx: z.number(),
  reason: z.string().optional(), // of the end, if it is known
})
export type Dial = z.infer<typeof dial>
/** Open dial with the time at which it was reported last. */
const openDial = dial.extend({ seenAt: z.number() })

/** Dials on disk: without an acknowledgement, and open ones. */
export interface KeptDials {
  readonly pending: readonly Dial[]
  readonly open: readonly z.infer<typeof openDial>[]
}

export const readDials = async (store: Store): Promise<KeptDials> => ({
  pending: z.array(dial).safeParse(await store.load(RECORD)).data ?? [],
  open: z.array(openDial).safeParse(await store.load(OPEN_RECORD)).data ?? [],
})

/** Reason of a dial whose end nobody saw, because the agent or the device was not running. */
const UNSEEN_END = '设备重启'

interface DialReporterDeps {
  readonly clock: Clock
  readonly store: Store
  send(dials: DialReport[]): void
}

/** Unacknowledged dials are kept on disk, the newest `keptMax`, so that neither a cut nor a restart loses a record. */
export class DialReporter {
  private readonly deps: DialReporterDeps
  /** Dials whose newest state is not acknowledged; the oldest first. */
  private readonly pending: Map<string, Dial>
  /** Open dials, as they were reported last. */
  private readonly open: Map<string, KeptDials['open'][number]>
  /** Dials that were open when the agent ended, and that the services have not reported since. */
  private readonly unseen: Set<string>
  private isUp = false
  private cancelTimer: () => void = () => {}

  /** @param kept dials on disk, from `readDials`. */
  constructor(deps: DialReporterDeps, kept: KeptDials) {
    this.deps = deps
    this.pending = new Map(kept.pending.map((each) => [each.key, each]))
    this.open = new Map(kept.open.map((each) => [each.key, each]))
    this.unseen = new Set(this.open.keys())
    if (this.unseen.size > 0) deps.clock.after(DIAL.settleMs, () => this.endUnseen())
  }

  /** Ends what the services of this device do not have any more, at its last report. */
  private endUnseen(): void {
    const ended = [...this.unseen].flatMap((key) => this.open.get(key) ?? [])
    this.report(...ended.map(({ seenAt, ...each }) => ({ ...each, endedAt: seenAt, reason: UNSEEN_END })))
  }

  /** Adds dials that began, went on or ended. */
  report(...dials: readonly Dial[]): void {
    for (const { key, ...rest } of dials) {
      // an agent of before has seen the beginning; one that finds the dial knows it less exactly
      const each = { ...rest, key, beganAt: this.open.get(key)?.beganAt ?? rest.beganAt }
      this.pending.set(each.key, each)
      this.unseen.delete(each.key)
      if (each.endedAt === null) this.open.set(each.key, { ...each, seenAt: this.deps.clock.now() })
      else this.open.delete(each.key)
    }
    for (const key of [...this.pending.keys()].slice(0, -DIAL.keptMax)) this.pending.delete(key)
    this.save()
    if (this.isUp) this.flushIn(DIAL.saveMs)
  }

  /** Reports open dials again after a reconnect: the hub ends the dials of a device that was away. */
  connected(): void {
    this.isUp = true
    for (const [key, { seenAt: _, ...each }] of this.open)
      if (!this.unseen.has(key) && !this.pending.has(key) && this.pending.size < DIAL.keptMax)
        this.pending.set(key, each)
    if (this.pending.size > 0) this.flushIn(0)
  }

  disconnected(): void {
    this.isUp = false
    this.sent.clear()
    this.cancelTimer()
  }

  /** Removes acknowledged dials; one that moved on since it was sent is reported once more. */
  acknowledged(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.pending.get(key) === this.sent.get(key)) this.pending.delete(key)
      this.sent.delete(key)
    }
    this.save()
    if (this.pending.size > 0) this.flushIn(this.pending.size > this.sent.size ? DIAL.saveMs : DIAL.retryMs)
  }

  /** Dials as they were sent last. */
  private readonly sent = new Map<string, Dial>()

  private flushIn(ms: number): void {
    this.cancelTimer()
    this.cancelTimer = this.deps.clock.after(ms, () => this.flush())
  }

  /** Sends one frame; the next one follows the acknowledgement, or a timeout after which this one counts as lost. */
  private flush(): void {
    if (!this.isUp || this.pending.size === 0) return
    const dials = [...this.pending.values()].slice(0, DIALS_PER_FRAME)
    this.sent.clear()
    for (const each of dials) this.sent.set(each.key, each)
    const now = this.deps.clock.now()
    const ago = (at: number) => Math.max(0, now - at)
    this.deps.send(
      dials.map(({ beganAt, endedAt, ...rest }) => ({
        ...rest,
        began_ms: ago(beganAt),
        ended_ms: endedAt === null ? null : ago(endedAt),
      })),
    )
    this.flushIn(DIAL.retryMs)
  }

  /** Best effort: a full disk must not stop the reports. */
  private save(): void {
    const { store } = this.deps
    void store.save(RECORD, [...this.pending.values()]).catch(() => {})
    void store.save(OPEN_RECORD, [...this.open.values()]).catch(() => {})
  }
}
