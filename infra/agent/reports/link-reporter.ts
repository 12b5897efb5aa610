import { LINKS_PER_FRAME, type LinkReport } from '#contract/kernel/protocol.ts'
import { AGENT, FRAME_MAX_BYTES } from '#contract/kernel/hub-limits.ts'
import type { Clock } from '../clock.ts'

/* Reports to the hub which links are up. */

export interface LinkReporterPorts {
  readonly clock: Clock
  /** Reads all links that have a verdict. */
  read(): readonly LinkReport[]
  send(links: readonly LinkReport[]): void
}

/**
 * Changes gather for a moment, because a centre receives hundreds at once. More than one frame of them is spread over
 * seconds, because a hub closes a socket with too many frames a second.
 */
export class LinkReporter {
  private readonly ports: LinkReporterPorts
  private readonly pending = new Set<string>()
  private sendAt: number | null = null
  private sentAt = -Infinity
  private cancelTimer: () => void = () => {}

  constructor(ports: LinkReporterPorts) {
    this.ports = ports
  }

  /** Reports every link, after a welcome or on request of the hub. */
  reportAll(): void {
    this.add(
      this.ports.read().map(({ id }) => id),
      0,
    )
  }

  reportChanged(ids: readonly string[]): void {
    this.add(ids, AGENT.linksGatherMs)
  }

  /** Forgets all changes when the connection ends: the next one begins with every link. */
  stop(): void {
    this.cancelTimer()
    this.pending.clear()
    this.sendAt = null
    this.sentAt = -Infinity
  }

  private add(ids: readonly string[], withinMs: number): void {
    for (const id of ids) this.pending.add(id)
    if (this.pending.size === 0) return
    const now = this.ports.clock.monotonic()
    const at = Math.max(now + withinMs, this.sentAt + AGENT.linksEveryMs)
    if (this.sendAt !== null && this.sendAt <= at) return
    if (at <= now) this.flush()
    else this.plan(at)
  }

  private plan(at: number): void {
    this.cancelTimer()
    this.sendAt = at
    this.cancelTimer = this.ports.clock.after(at - this.ports.clock.monotonic(), () => this.flush())
  }

  /** Sends the links as they are now, not as they were when they changed. */
  private flush(): void {
    this.cancelTimer()
    this.sendAt = null
    this.sentAt = this.ports.clock.monotonic()
    const waiting = this.ports.read().filter(({ id }) => this.pending.has(id))
    const frame = firstThatFit(waiting)
    for (const { id } of frame) this.pending.delete(id)
    if (frame.length === waiting.length) this.pending.clear() // the remaining links were removed from the document
    if (frame.length > 0) this.ports.send(frame)
    if (this.pending.size > 0) this.plan(this.sentAt + AGENT.linksEveryMs)
  }
}

const ENVELOPE_BYTES = 64

/** As many links as one frame takes; those of tunnels with long reasons are fewer. */
function firstThatFit(links: readonly LinkReport[]): readonly LinkReport[] {
  let left = FRAME_MAX_BYTES - ENVELOPE_BYTES
  return links.slice(0, LINKS_PER_FRAME).filter((link) => (left -= Buffer.byteLength(JSON.stringify(link)) + 1) >= 0)
}
