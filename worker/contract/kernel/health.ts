import * as z from 'zod'

/* Health of networks and members: counts by state, causes, problems, rows that need attention. */

/** Members by state. Each member counts once (worker/domain/health/member.ts). */
export const stateCount = z.object({
  online: z.int(),
  reconnecting: z.int(),
  flapping: z.int(),
  unreadable: z.int(),
  offline: z.int(),
  never: z.int(),
  disabled: z.int(),
})
export const linkCount = z.object({
  up: z.int(),
  down: z.int(),
  one_sided: z.int(),
  unknown: z.int(),
  never: z.int(),
})

/** Links that both ends have opened; those that are neither up nor unknown are broken. */
const openedLinks = z.object({ up: z.int(), unknown: z.int(), total: z.int() })
export type OpenedLinks = z.infer<typeof openedLinks>

/** Links of a member, and if only one of several to centres is up. */
export const memberPaths = openedLinks.extend({ single_center: z.union([z.literal(0), z.literal(1)]) })
export type MemberPaths = z.infer<typeof memberPaths>

/**
 * States of a network. `down`: every centre that ever connected is offline. `never`: no centre ever connected. `unknown`:
 * nothing is known to be wrong, but most links are unknown. `suspended`: over quota, by its row; hubs do not know it.
 */
const NETWORK_HEALTH_STATES = ['ok', 'unknown', 'partial', 'down', 'never', 'suspended'] as const
export type NetworkHealthState = (typeof NETWORK_HEALTH_STATES)[number]

/** Health of one network, besides its contract state (worker/domain/health/network.ts). */
export const networkHealth = z.object({
  state: z.enum(NETWORK_HEALTH_STATES),
  issues: z.int(), // causes without their consequences: the n in partly abnormal (部分异常) (n)
  cause: z.string(), // Chinese, empty while nothing is wrong
  since: z.number().nullable(), // epoch ms
  centers: z.object({ up: z.int(), total: z.int() }), // without centres that never connected
  members: stateCount,
  links: linkCount,
  single_center: z.int(), // members with exactly one of two or more paths up
  config: z.object({ applied: z.int(), total: z.int() }), // of members with a configuration that ever connected
})
export type NetworkHealth = z.infer<typeof networkHealth>

/** Fault of a link, or of a member's paths, that no offline centre or member explains. */
export interface PathProblem {
  readonly kind: 'link_down' | 'link_one_sided' | 'single_center'
  readonly routerName: string
  readonly centerRouterName: string
  /** True when the member has one centre left because of the broken link. */
  readonly isSingleCenter: boolean
  readonly reason: string
  readonly since: number | null
}

/** Object, site behind one public address, or whole network that explains faulty links between online ends. */
export interface LinkCause {
  readonly role: 'center' | 'pop' | 'point' | 'site' | 'network'
  /** Public address of a site; '' for a network. */
  readonly routerName: string
  readonly down: number
  readonly oneSided: number
  /** Members at the other ends, or devices of a site. */
  readonly members: number
  readonly since: number | null
  /** Its links failed together, but others of it are up: nobody suspects the object. */
  readonly isPartial: boolean
  /** Devices of a site; of links that failed together their other ends, those of broken links first. */
  readonly names?: readonly string[]
}

/** POP node that members of the network do not reach. */
export interface PopProblem {
  readonly node: string
  readonly members: number
  readonly reason: string
  readonly since: number | null
}

/** Summary that a network's hub pushes to the account's hub. */
export interface NetworkSummary {
  readonly health: NetworkHealth
  /** POP nodes that members do not reach; missing from a hub of the release before. */
  readonly pops?: readonly PopProblem[]
  /** Problems of paths that no cause explains, at most `HEALTH.problemsMax`. */
  readonly problems: readonly PathProblem[]
  /** Causes of faulty links; missing from a hub of the release before, whose problems are all of them. */
  readonly causes?: readonly LinkCause[]
  /** Links whose state is known, of causes, problems, centres and POP nodes, by name; under '' of the network. */
  readonly checked?: Readonly<Record<string, number>>
}

/** Kinds of rows that need attention (需要关注), by severity. */
export const ATTENTION_KINDS = [
  'fleet_offline',
  'network_down',
  'network_suspended',
  'pop_expired',
  'service_over',
  'saas_over',
  'center_offline',
  'suspected',
  'pop_offline',
  'site_offline',
  'member_offline',
  'member_flapping',
  'member_unreadable',
  'links_together',
  'link_down',
  'link_one_sided',
  'single_center',
  'overlap',
  'config_failed',
  'config_reverted',
  'config_unsynced',
  'setting_unsupported',
  'certificate_refused',
  'delivery_failed',
  'directory_failed',
  'directory_asking',
  'ticket_answered',
  'contact_expired',
  'pop_ending',
  'service_ending',
  'saas_ending',
  'certificate_ending',
  'quota_full',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export const attentionRow = z.object({
  /** The same while the trouble lasts, also if its kind changes, as from suspected to offline. */
  id: z.string(),
  kind: z.enum(ATTENTION_KINDS),
  level: z.enum(['bad', 'warn']),
  /** Object and link target of the row. A link between members has all three names. */
  target: z.object({
    type: z.enum([
      'network',
      'router',
      'link',
      'members',
      'service',
      'quota',
      'saas',
      'directory',
      'deliveries',
      'contacts',
      'ticket',
    ]),
    network_number: z.string().nullable(),
    router_name: z.string().nullable(),
    center_router_name: z.string().nullable(),
    ticket_number: z.string().nullable(),
  }),
  name: z.string(), // display name of the object
  cause: z.string(),
  since: z.number().nullable(), // epoch ms
  until: z.number().nullable(), // end of a service, a POP resource or a SaaS device
  folded: z.int(), // consequences without rows of their own
  /** Person who handles it, by 我来处理 or by the acknowledgement of its alert; null: nobody. */
  handled: z.object({ by: z.string(), at: z.number() }).nullable(),
})
export type AttentionRow = z.infer<typeof attentionRow>
