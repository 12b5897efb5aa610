import * as z from 'zod'

/** Members by state: each member counts once (worker/domain/health/member.ts). */
export const stateCount = z.object({
  online: z.int(),
  reconnecting: z.int(),
  flapping: z.int(),
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

/** A member's links that both ends have opened, how many of them are up, and whether just one of two or more is. */
export const memberPaths = z.object({
  up: z.int(),
  total: z.int(),
  single_center: z.union([z.literal(0), z.literal(1)]),
})
export type MemberPaths = z.infer<typeof memberPaths>

/** `down`: every centre that ever came is away; `never`: no centre ever came. */
const NETWORK_HEALTH_STATES = ['ok', 'partial', 'down', 'never'] as const
export type NetworkHealthState = (typeof NETWORK_HEALTH_STATES)[number]

/** Health of one network, besides its contract state (worker/domain/health/network.ts). */
export const networkHealth = z.object({
  state: z.enum(NETWORK_HEALTH_STATES),
  issues: z.int(), // causes, without their consequences: n of 部分异常 (n)
  cause: z.string(), // Chinese, empty while nothing is wrong
  since: z.number().nullable(), // epoch ms
  centers: z.object({ up: z.int(), total: z.int() }), // without those that never came
  members: stateCount,
  links: linkCount,
  single_center: z.int(), // members with exactly one of two or more paths up
  config: z.object({ applied: z.int(), total: z.int() }), // of members that have a configuration and ever came
})
export type NetworkHealth = z.infer<typeof networkHealth>

/** A fault of a link, or of a member's paths, that no absent centre and no absent member explains. */
export interface PathProblem {
  readonly kind: 'link_down' | 'link_one_sided' | 'single_center'
  readonly routerName: string
  readonly centerRouterName: string
  /** True when the member has one centre left because of the broken link. */
  readonly isSingleCenter: boolean
  readonly reason: string
  readonly since: number | null
}

/** A POP node that members of the network do not reach. */
export interface PopProblem {
  readonly node: string
  /** Number of members that do not reach the node. */
  readonly members: number
  readonly reason: string
  readonly since: number | null
}

/** Summary that a network's hub pushes to the account's hub. */
export interface NetworkSummary {
  readonly health: NetworkHealth
  /** POP nodes that members do not reach; missing from a hub of the release before. */
  readonly pops?: readonly PopProblem[]
  /** Problems of paths, at most `HEALTH.problemsMax`. */
  readonly problems: readonly PathProblem[]
}

/** Kinds of rows in 需要关注, by severity. */
export const ATTENTION_KINDS = [
  'network_down',
  'network_suspended',
  'pop_expired',
  'center_offline',
  'member_offline',
  'member_flapping',
  'link_down',
  'link_one_sided',
  'single_center',
  'overlap',
  'config_failed',
  'config_reverted',
  'config_unsynced',
  'setting_unsupported',
  'pop_ending',
  'service_ending',
  'quota_full',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export const attentionRow = z.object({
  kind: z.enum(ATTENTION_KINDS),
  level: z.enum(['bad', 'warn']),
  /** Object of the row, and where it leads. A link has all three names. */
  target: z.object({
    type: z.enum(['network', 'router', 'link', 'service', 'quota']),
    network_number: z.string().nullable(),
    router_name: z.string().nullable(),
    center_router_name: z.string().nullable(),
  }),
  name: z.string(), // display name of the object
  cause: z.string(),
  since: z.number().nullable(), // epoch ms
  until: z.number().nullable(), // when a service or a POP resource ends
  folded: z.int(), // consequences that are no rows of their own
})
export type AttentionRow = z.infer<typeof attentionRow>
