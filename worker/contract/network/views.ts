import * as z from 'zod'
import { routerName, wireBoolean } from '#contract/kernel/fields.ts'

/** Settings of networks and members as network/info carries them, under the names of network 3. */

const ports = {
  public_ip: z.string(), // empty: where the device is seen
  public_port: z.int().nullable(),
  static_port: z.int().nullable(), // null: the one of `port`
}
const service = z.object({ ...ports, port: z.int() })
const segment = z.object({ gateway: z.string(), mask: z.int() })

/** 1: both centres share the load; 2: by name a main and a backup router, else empty. */
export const routingView = z.object({ type: z.int(), main_router: z.string(), secondary_router: z.string() })

/** Number of edits of each setting: a write names it, so that one of an older state is refused. */
const settingRevisions = z.record(z.string(), z.int())

/** Settings of one member; those for centres only are null for points. */
export const memberSettingsView = z.object({
  /** Dial mode of software members: 1 default, 2 prefer centre, 3 prefer POP. */
  mode: z.int(),
  routing: wireBoolean, // 1: main router
  default_route: z.int(),
  metric: z.int().nullable(),
  quagga: wireBoolean,
  ov_id: z.object({
    main: z.int().nullable(),
    backup: z.int().nullable(),
    main_name: z.string(),
    backup_name: z.string(),
    priority: z.int(),
  }),
  /** Note or name of the centres that it connects to; empty for a centre. */
  center_router_name_note: z.string(),
  fixed_port: z.object({ router_service: service, software_service: service }).nullable(),
  /** Segments behind next hops on its LANs, which router/info lists. */
  static_route_count: z.int(),
  /** The segments in use: chosen or by default. */
  gateway: z.object({ router: segment, software: segment }).nullable(),
  revisions: settingRevisions,
})

/** Settings of a network as a whole. */
export const networkSettingsView = z.object({
  network_dns: z.array(z.string()),
  network_routing: routingView,
  /** Rows of the prefix list, which network/prefix reads. */
  prefix_count: z.int(),
  /** `expire_day` as in network_fr/lists: 0 once its term is over, when documents leave its areas out. */
  network_fr: z.object({ network_fr_id: z.int(), shortname: z.string(), expire_day: z.int() }).nullable(),
  network_center_link: wireBoolean, // 1: the twin-centre link is on
  network_center_link_show: wireBoolean,
  network_center_link_network: segment.extend({ ...ports, center_router_name: z.union([routerName, z.literal('')]) }),
  /** Revisions of settings that are stored by themselves; ciphers and fr follow `revision` of the network. */
  revisions: settingRevisions,
})
