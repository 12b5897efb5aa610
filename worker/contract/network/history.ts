import * as z from 'zod'
import { EXAMPLE, endpoint } from '#contract/kernel/endpoint.ts'
import { networkNumber, numeric, routerName, sentTime, time } from '#contract/kernel/fields.ts'
import { transition } from '#contract/kernel/protocol.ts'
import { pack } from './addresses.ts'
import { settingRevision } from './fields.ts'
import { NETWORK_READS } from './views.ts'

const target = z.object({ network_number: networkNumber })

const networkVersion = z.object({
  version: z.int(),
  at: time,
  /** Person who saved the version; empty for the first one, which is what was there before. */
  actor: z.string(),
  /** Difference to the version before, in words. */
  changes: z.array(z.object({ title: z.string(), old: z.string(), new: z.string() })),
})

/** Connections of members within an hour of a time, newest first, at most 200. */
const networkEvents = z.object({
  from: time,
  to: time,
  transitions: z.array(transition.extend({ router_name: routerName, note: z.string() })),
})
export type NetworkEvents = z.infer<typeof networkEvents>

export const history = {
  events: endpoint({
    method: 'GET',
    path: 'network/events',
    access: 'session',
    summary: 'When members of a network connected and disconnected within an hour of a time, newest first',
    input: target.extend({ at: numeric(sentTime) }),
    output: networkEvents,
    example: { network_number: EXAMPLE.network_number, at: 1_767_225_600_000 },
  }),
  versions: endpoint({
    method: 'GET',
    path: 'network/versions',
    access: 'session',
    summary: 'The last versions of a network’s settings, newest first, with who changed what',
    input: target,
    output: z.array(networkVersion),
    /** Revision of the network: a restore names it. */
    extra: { revision: z.int() },
    example: { network_number: EXAMPLE.network_number },
  }),
  restore: endpoint({
    method: 'POST',
    path: 'network/restore',
    access: 'network:edit',
    summary: 'Set what was set right after a version, as a new change; members stay as they are',
    input: target.extend({ version: numeric(z.int().positive()), revision: settingRevision, pack }),
    /** Settings that could not be restored, in words. */
    output: z.object({ skipped: z.array(z.string()) }),
    done: 'restored',
    refreshes: ['network/versions', ...NETWORK_READS],
    example: { network_number: EXAMPLE.network_number, version: 1 },
  }),
} as const
