import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { StateMove } from '#contract/kernel/hubs.ts'
import type { LinkView, NetworkView } from '#contract/kernel/protocol.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import type { Snapshot, SnapshotLink } from '#contract/ticket/snapshot.ts'
import { worstLinksFirst } from '#domain/health/link.ts'
import { contractOf, withSuspension } from '#domain/health/suspension.ts'
import { type StateRow, toConfigView, toPresenceView } from '#domain/router/presence.ts'

/* Snapshot of a router or a network, attached to a support ticket. */

interface Member {
  readonly name: string
  readonly note: string
  readonly state: StateRow | null
}

interface RouterFacts extends Member {
  readonly model: string
  readonly version: string
  readonly networks: readonly { readonly number: string; readonly name: string }[]
  /** Null if the account's hub did not answer. */
  readonly transitions: readonly StateMove[] | null
  /** Null if the network's hub did not answer. */
  readonly links: readonly { readonly number: string; readonly links: readonly LinkView[] | null }[]
}

export function toRouterSnapshot(facts: RouterFacts, now: number): Snapshot {
  const { name, note, model, version, state, networks, transitions, links } = facts
  const shown = links.flatMap(({ number, links: known }) => (known ?? []).map((link) => toLink(number, link)))
  return {
    kind: 'router',
    taken_at: now,
    name,
    note,
    model,
    version,
    presence: toPresenceView(state),
    config: toConfigView(state),
    networks: networks.map((network) => ({ network_number: network.number, network_name: network.name })),
    transitions: (transitions ?? []).slice(0, TICKET.snapshotRows),
    ...toLinks(shown),
    incomplete: toWireBoolean(transitions === null || links.some(({ links: known }) => known === null)),
  }
}

interface NetworkFacts {
  readonly number: string
  readonly name: string
  readonly revision: number
  readonly status: 0 | 1
  readonly suspendedAt: number | null
  readonly withdrawn: 0 | 1
  readonly members: readonly Member[]
  /** Null if its hub did not answer. */
  readonly view: NetworkView | null
}

export function toNetworkSnapshot(network: NetworkFacts, now: number): Snapshot {
  const { number, name, revision, status, members, view } = network
  const byLastMove = members.toSorted((a, b) => (b.state?.presenceSince ?? 0) - (a.state?.presenceSince ?? 0))
  return {
    kind: 'network',
    taken_at: now,
    network_number: number,
    name,
    revision,
    network_status: status,
    health: view && withSuspension(view.health, contractOf(network)),
    members: byLastMove.slice(0, TICKET.snapshotRows).map((member) => ({
      router_name: member.name,
      note: member.note,
      presence: toPresenceView(member.state),
      config: toConfigView(member.state),
    })),
    ...toLinks((view?.links ?? []).map((link) => toLink(number, link))),
    incomplete: toWireBoolean(view === null),
  }
}

const toLinks = (links: readonly SnapshotLink[]) => ({
  links: worstLinksFirst(links).slice(0, TICKET.snapshotRows),
  link_count: links.length,
})

/** POP nodes are the operator's devices: customers do not see their names. */
const toLink = (number: string, { kind, ...link }: LinkView): SnapshotLink => ({
  network_number: number,
  router_name: link.router_name,
  center_router_name: kind === 'pop' ? 'POP节点' : link.center_router_name,
  state: link.state,
  since: link.since,
  reason: link.reason,
  rtt_ms: link.rtt_ms,
})
