import { TICKET_FRAMES } from '#contract/kernel/hub-limits.ts'
import type { TicketStatus } from '#contract/ticket/index.ts'

/** A support ticket that moved lately. */
export interface ChangedTicket {
  readonly number: string
  /** Person who wrote the ticket. */
  readonly person: string
  readonly status: TicketStatus
  readonly revision: number
}

/** Revisions of tickets that open consoles were sent. A hub that has slept repeats some: pages only read anew. */
export class TicketChanges {
  private sent: ReadonlyMap<string, number> = new Map()

  /** Tickets that moved since then are read. */
  since(now: number): number {
    return now - TICKET_FRAMES.windowMs
  }

  /** Tickets among those read whose revision nobody was sent yet. */
  take(read: readonly ChangedTicket[]): readonly ChangedTicket[] {
    const fresh = read.filter(({ number, revision }) => this.sent.get(number) !== revision)
    this.sent = new Map(read.map(({ number, revision }) => [number, revision]))
    return fresh
  }

  clear(): void {
    this.sent = new Map()
  }
}
