import type { NetworkHealth } from '#contract/kernel/health.ts'
import type { AccountHubRpc, Viewer } from '#contract/kernel/hubs.ts'
import { coversAnyNetwork, coversNetwork } from '#contract/kernel/permissions.ts'
import type { TicketStatus } from '#contract/ticket/index.ts'
import type { ViewerBody } from '#durable/viewers.ts'

/* Frames to the consoles of an account. */

export type RouterChange = Pick<
  Parameters<AccountHubRpc['routerChanged']>[0],
  'routerName' | 'seenIn' | 'presence' | 'config'
>

/* Frames of a change for one viewer; a frame may be empty, so that `seq` has no gap. */

export const routersFrame = (changes: readonly RouterChange[], { grants }: Viewer): ViewerBody => ({
  type: 'routers',
  data: changes
    .filter(({ seenIn }) => coversAnyNetwork(grants, seenIn))
    .map(({ routerName, presence, config }) => ({ router_name: routerName, presence, config })),
})

export const networksFrame = (changes: ReadonlyMap<string, NetworkHealth>, { grants }: Viewer): ViewerBody => ({
  type: 'networks',
  data: [...changes]
    .filter(([network_number]) => coversNetwork(grants, network_number))
    .map(([network_number, health]) => ({ network_number, health })),
})

/** Tickets are shown to their author and to the main account. */
export const ticketsFrame = (changed: readonly ChangedTicket[], { person, grants }: Viewer): ViewerBody => ({
  type: 'ticket',
  data: changed
    .filter((ticket) => grants.kind === 'main' || ticket.person === person)
    .map(({ number, status }) => ({ ticket_number: number, ticket_status: status })),
})

export interface ChangedTicket {
  readonly number: string
  readonly person: string
  readonly status: TicketStatus
  readonly revision: number
}

/** Ticket revisions that open consoles have got. A hub that has slept repeats some; pages then only read again. */
export class TicketChanges {
  private sent: ReadonlyMap<string, number> = new Map()

  /** Those of the read tickets whose revision was not sent yet. */
  take(read: readonly ChangedTicket[]): readonly ChangedTicket[] {
    const fresh = read.filter(({ number, revision }) => this.sent.get(number) !== revision)
    this.sent = new Map(read.map(({ number, revision }) => [number, revision]))
    return fresh
  }

  clear(): void {
    this.sent = new Map()
  }
}
