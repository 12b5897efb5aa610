import * as z from 'zod'
import { routerName, time, wireBoolean } from './fields.ts'
import { linkView, presenceState } from './protocol.ts'

/** A link of one router with its other end; `router_name` and `center_router_name` say which end is which. */
export const routerLink = linkView.extend({
  network_number: z.string(),
  network_name: z.string(),
  peer: z.object({ router_name: routerName, note: z.string(), member_type: z.enum(['center', 'point']) }),
  /** Addresses of both ends in the centre's segment. */
  vpn_ip: z.string(),
  peer_vpn_ip: z.string(),
})

/** A change of a member's state, as the account's hub keeps it for 48 hours. */
export const transition = z.object({ from: presenceState, to: presenceState, at: time, reason: z.string() })

/** States of one member over time. `live` 0: the account's hub did not answer, and nothing is known. */
export const routerEvents = z.object({
  live: wireBoolean,
  /** Newest first, at most `HEALTH.eventsShown`. */
  transitions: z.array(transition),
  /** What a bar of the last 24 hours starts with; null where that is not known. Later states are in `transitions`. */
  bar: z.object({ from: time, to: time, start: presenceState.nullable() }),
})
export type RouterEvents = z.infer<typeof routerEvents>
