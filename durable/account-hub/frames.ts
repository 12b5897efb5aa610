import type { NetworkHealth } from '#contract/kernel/health.ts'
import type { AccountHubRpc, Viewer } from '#contract/kernel/hubs.ts'
import { coversAnyNetwork, coversNetwork } from '#contract/kernel/permissions.ts'
import type { ViewerBody } from '#durable/viewers.ts'
import type { ChangedTicket } from './ticket-changes.ts'

export type RouterChange = Pick<
  Parameters<AccountHubRpc['routerChanged']>[0],
  'routerName' | 'seenIn' | 'presence' | 'config'
>

/* What one viewer sees of a change; a frame may be empty, so that `seq` has no gap. */

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

/** Whoever wrote a ticket, and the main account. */
export const ticketsFrame = (changed: readonly ChangedTicket[], { person, grants }: Viewer): ViewerBody => ({
  type: 'ticket',
  data: changed
    .filter((ticket) => grants.kind === 'main' || ticket.person === person)
    .map(({ number, status }) => ({ ticket_number: number, ticket_status: status })),
})
