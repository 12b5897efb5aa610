import { type Violation, violation } from '#contract/kernel/result.ts'
import { NETWORK_TICKET_WORD, type NetworkTicketStatus } from '#contract/network/pop.ts'
import type { NamedNode } from '../members/links.ts'
import { indexMembers } from '../members/member-name.ts'
import { isSuspended } from '../members/membership.ts'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'

/* Rules of orders of POP resources (tickets): steps of the status, cancellation, deletion, members by area. */

const { unprocessed, processing, completed, cancelled } = NETWORK_TICKET_STATUS

/** Permitted steps: 1→2→3, 1→4, 2→4, 3→4 (network 4). */
const NEXT: Readonly<Record<NetworkTicketStatus, readonly NetworkTicketStatus[]>> = {
  [unprocessed]: [processing, cancelled],
  [processing]: [completed, cancelled],
  [completed]: [cancelled],
  [cancelled]: [],
}

export const checkStep = (status: NetworkTicketStatus, next: NetworkTicketStatus): Violation | null =>
  NEXT[status].includes(next)
    ? null
    : violation('NETWORK_TICKET_STEP', { status: NETWORK_TICKET_WORD[status], next: NETWORK_TICKET_WORD[next] })

export const statusesBefore = (next: NetworkTicketStatus): readonly NetworkTicketStatus[] =>
  Object.values(NETWORK_TICKET_STATUS).filter((status) => NEXT[status].includes(next))

/** Statuses that permit the customer to cancel or to delete. An order that is not begun is deleted, not cancelled. */
export const CANCELLABLE: readonly NetworkTicketStatus[] = [processing, completed]
/** Statuses of an order that still waits for the operator. */
export const OPEN_STATUSES: readonly NetworkTicketStatus[] = [unprocessed, processing]
export const DELETABLE: readonly NetworkTicketStatus[] = [unprocessed, cancelled]

export const checkCancel = (status: NetworkTicketStatus): Violation | null =>
  CANCELLABLE.includes(status)
    ? null
    : violation('NETWORK_TICKET_NOT_CANCELLABLE', { status: NETWORK_TICKET_WORD[status] })
export const checkDelete = (status: NetworkTicketStatus): Violation | null =>
  DELETABLE.includes(status) ? null : violation('NETWORK_TICKET_NOT_DELETABLE', { status: NETWORK_TICKET_WORD[status] })

interface OrderedNetwork {
  readonly status: number
  /** The resource that it uses, unless that has expired. */
  readonly running: { readonly name: string } | undefined
  readonly hasOpenTicket: boolean
}

/** Conditions of a POP order: the network works, has no running resource and no open order. */
export function checkOrder({ status, running, hasOpenTicket }: OrderedNetwork): Violation | null {
  if (isSuspended({ status })) return violation('NETWORK_SUSPENDED')
  if (running) return violation('NETWORK_FR_EXISTS', { name: running.name })
  return hasOpenTicket ? violation('NETWORK_TICKET_OPEN') : null
}

/** Content of an order in the column `attributes`. Names are those at the time of the order. */
export interface TicketAttributes {
  readonly bandwidth: number
  /** Years. */
  readonly expired_time: number
  readonly pop: readonly { readonly value: number; readonly name: string }[]
  readonly pop_conf: Readonly<Record<string, readonly TicketMember[]>>
}
interface TicketMember {
  readonly id: number
  readonly name: string
}

/** Assigns members to the ordered areas, or refuses. Each name must be a member of the network, in one ordered area. */
export function assignMembers(
  areas: readonly number[],
  conf: Readonly<Record<string, readonly string[]>>,
  members: readonly Pick<NamedNode, 'routerId' | 'routerName'>[],
): { readonly assigned: TicketAttributes['pop_conf']; readonly refused: Violation | null } {
  const find = indexMembers(members)
  const assigned: Record<string, readonly TicketMember[]> = Object.fromEntries(areas.map((area) => [area, []]))
  const seen = new Set<number>()
  for (const [area, names] of Object.entries(conf)) {
    if (!areas.some((value) => String(value) === area)) return { assigned, refused: violation('POP_CONF_UNCHOSEN') }
    const found: TicketMember[] = []
    for (const name of names) {
      const member = find(name)
      if (!member) return { assigned, refused: violation('MEMBER_NOT_IN_NETWORK') }
      if (seen.has(member.routerId))
        return { assigned, refused: violation('MEMBER_TWICE', { name: member.routerName }, 'pop_conf') }
      seen.add(member.routerId)
      found.push({ id: member.routerId, name: member.routerName })
    }
    assigned[area] = found
  }
  return { assigned, refused: null }
}
