import { z } from 'zod'
import { RETURN_TICKET_HEADER } from '#contract/kernel/protocol.ts'
import type { Store } from '../store.ts'

/* Return ticket of the hub: with it the service opens the next connection without asking its database. */

const RECORD = 'ticket'
const stored = z.object({ ticket: z.string().regex(/^[\w.-]+$/) })

export class ReturnTicket {
  private readonly store: Store
  private text: string | null

  private constructor(store: Store, text: string | null) {
    this.store = store
    this.text = text
  }

  /** A ticket that cannot be read is missing: the device connects without one. */
  static async load(store: Store): Promise<ReturnTicket> {
    const kept = stored.safeParse(await store.load(RECORD).catch(() => null))
    return new ReturnTicket(store, kept.success ? kept.data.ticket : null)
  }

  headers(): Record<string, string> {
    return this.text === null ? {} : { [RETURN_TICKET_HEADER]: this.text }
  }

  async renew(ticket: string): Promise<void> {
    if (ticket === this.text) return
    this.text = ticket
    await this.store.save(RECORD, { ticket })
  }
}
