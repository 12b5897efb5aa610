import * as z from 'zod'
import { networkNumber, routerName, time, wireBoolean } from '#contract/kernel/fields.ts'
import { networkHealth } from '#contract/kernel/health.ts'
import { configView, linkState, presenceView, transition } from '#contract/kernel/protocol.ts'

/* Snapshot of a member or network in a support ticket. */

/** Object of a snapshot, within the role of the caller. */
export const snapshotTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('router'), router_name: routerName }),
  z.object({ kind: z.literal('network'), network_number: networkNumber }),
])
export type SnapshotTarget = z.output<typeof snapshotTarget>

const link = z.object({
  network_number: z.string(),
  router_name: z.string(), // client end
  center_router_name: z.string(), // server end; a POP node has no name here
  state: linkState,
  since: z.number().nullable(),
  reason: z.string(),
  rtt_ms: z.number().nullable(),
})
export type SnapshotLink = z.output<typeof link>

const parts = {
  taken_at: time,
  name: z.string(),
  /** Worst first, at most `TICKET.snapshotRows`. */
  links: z.array(link),
  link_count: z.int(),
  /** 1: a hub did not answer, so links or transitions are missing. */
  incomplete: wireBoolean,
}

/** State at the time of the ticket, without addresses, keys and passwords. */
export const snapshot = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('router'),
    ...parts,
    note: z.string(),
    model: z.string(),
    version: z.string(), // of the device's software
    presence: presenceView,
    config: configView,
    networks: z.array(z.object({ network_number: z.string(), network_name: z.string() })),
    transitions: z.array(transition), // newest first
  }),
  z.object({
    kind: z.literal('network'),
    ...parts,
    network_number: z.string(),
    revision: z.int(), // of its settings
    network_status: wireBoolean,
    health: networkHealth.nullable(),
    /** Members, last changed first, at most `TICKET.snapshotRows`. */
    members: z.array(
      z.object({ router_name: z.string(), note: z.string(), presence: presenceView, config: configView }),
    ),
  }),
])
export type Snapshot = z.output<typeof snapshot>
