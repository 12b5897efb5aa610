import * as z from 'zod'
import { networkHealth } from '#contract/kernel/health.ts'
import { networkView } from '#contract/kernel/protocol.ts'
import { EXAMPLE, write, read } from '#contract/kernel/endpoint.ts'
import {
  lengthText,
  confirmed,
  wireBoolean,
  networkNumber,
  numeric,
  routerName,
  search,
  displayText,
  time,
} from '#contract/kernel/fields.ts'
import { list, sortBy } from '#contract/kernel/list.ts'
import { bulkCounts, bulkNames, bulkResult } from '#contract/router/fields.ts'
import { EXAMPLE_MEMBER, memberTarget, networkTarget, ofNetwork, settingRevision } from './fields.ts'
import {
  networkSettingsView,
  memberType,
  networkConfig,
  networkLink,
  networkMember,
  networkRow,
  MEMBER_READS,
  NETWORK_READS,
} from './views.ts'
import { acceptedJob } from './jobs.ts'
import { NETWORK, NETWORK_TYPE, POP } from './limits.ts'

/* Endpoints of networks: list, create, edit, delete, members, ciphers, push of the configuration. */

const anyName = displayText.min(1, '请输入网络名称')
export const nameTooLong = (max: number): string => lengthText('网络名称', max)
export const networkName = anyName.max(NETWORK.nameMax, nameTooLong(NETWORK.nameMax))
/** Name of an existing network. Its length depends on the network (checkName). */
export const keptName = anyName.max(POP.nameMax, nameTooLong(POP.nameMax))

const memberNames = z.array(routerName).max(NETWORK.membersMax)

export const ciphers = z.enum(['default', 'sm'])
export type Ciphers = z.infer<typeof ciphers>
export const CIPHERS_NAME = { default: '默认（AES）', sm: '国密（SM4）' } as const

/** Centre and point members by router_name. */
const networkPlan = z.object({ network_name: networkName, center: memberNames, point: memberNames })

/** Two members' segments that share addresses, with the display names of their owners. */
export const overlap = z.object({
  a: z.string(),
  segment_a: z.string(),
  b: z.string(),
  segment_b: z.string(),
  /** Serial of `a`, and of `b` if the role may see it. Either may be in another network. */
  routers: z.array(z.string()),
})

/** Sort keys of the list of networks; `status` sorts by severity, suspended ones first, then by name. */
const NETWORK_SORTS = ['created', 'name', 'members', 'status'] as const
export type NetworkSort = (typeof NETWORK_SORTS)[number]

/** States by which the list filters, the worst first. */
export const NETWORK_STATES = ['down', 'suspended', 'partial', 'unknown', 'ok', 'never'] as const
export type NetworkState = (typeof NETWORK_STATES)[number]
const stateCounts = z.object(
  Object.fromEntries(NETWORK_STATES.map((state) => [state, z.int()])) as Record<NetworkState, z.ZodInt>,
)

export const networks = {
  lists: read('network/lists', 'session', {
    reads: 'near',
    summary: 'Networks, newest first unless sorted otherwise',
    ...list({
      row: networkRow,
      filters: { search, state: z.enum(['', ...NETWORK_STATES]).default(''), ...sortBy(NETWORK_SORTS) },
      /** Numbers of the same search by state. */
      counts: { states: stateCounts },
    }),
  }),
  config: read('network/config', 'session', {
    reads: 'near',
    summary: 'Member quota of the account',
    output: networkConfig,
  }),
  select: read('network/select', 'session', {
    reads: 'near',
    summary: 'Number and name of every network, for choosing one',
    output: z.array(z.object({ network_number: networkNumber, network_name: z.string() })),
  }),
  info: read('network/info', 'session', {
    summary: 'One network with members and links',
    ...ofNetwork,
    output: networkRow.omit({ online_count: true, fr_expire_day: true }).extend({
      ...networkSettingsView.shape,
      health: networkHealth,
      /** 1: no device has the configuration any more, after a long suspension. */
      withdrawn: wireBoolean,
      mode: z.int(),
      ncp_ciphers: ciphers,
      /** Time of the last switch of ciphers; null: never. */
      ncp_ciphers_time: time.nullable(),
      /** Revision to send back with edit. A plan of an older state is refused. */
      revision: z.int(),
      network_config: networkConfig,
      member: z.array(networkMember),
      link: z.array(networkLink),
      /** Segments that overlap since a later change; `segment_b` is empty if the role may not see `b`. */
      overlaps: z.array(overlap),
    }),
  }),
  create: write('network/create', 'network:create', {
    summary: 'Create a network with its members',
    input: networkPlan.extend({
      /** 1: points connect to centres. 2: members connect to each other without a centre. */
      network_type: numeric(z.union([z.literal(NETWORK_TYPE.hub), z.literal(NETWORK_TYPE.pointToPoint)])).prefault(
        NETWORK_TYPE.hub,
      ),
      /** Random key of one press of the button. The same content with the same key is created once. */
      idempotency_key: z.string().min(16).max(64).optional(),
    }),
    output: networkTarget,
    done: 'saved',
    refreshes: ['network/lists', 'network/config', 'network/select', ...MEMBER_READS],
    example: { network_name: '生产网', center: [EXAMPLE.router_name], point: [] },
  }),
  edit: write('network/edit', 'network:edit', {
    summary: 'Replace name and members of a network',
    input: networkPlan.extend({
      network_name: keptName,
      network_number: networkNumber,
      revision: settingRevision,
      confirm: confirmed,
    }),
    done: 'saved',
    refreshes: ['network/select', ...NETWORK_READS, ...MEMBER_READS],
    example: {
      network_number: EXAMPLE.network_number,
      network_name: '生产网',
      center: [EXAMPLE.router_name],
      point: [],
    },
  }),
  name: write('network/name', 'network:edit', {
    summary: 'Rename a network',
    input: networkTarget.extend({ network_name: keptName }),
    done: 'changed',
    refreshes: ['network/lists', 'network/info', 'network/select', ...MEMBER_READS],
    example: { network_number: EXAMPLE.network_number, network_name: '生产网' },
  }),
  delete: write('network/delete', 'network:delete', {
    summary: 'Delete a network; its members remain',
    ...ofNetwork,
    done: 'deleted',
    refreshes: ['network/lists', 'network/config', 'network/select', ...MEMBER_READS],
  }),
  status: read('network/status', 'session', {
    reads: 'near',
    summary: 'Live state of members and links, from the network hub',
    ...ofNetwork,
    output: networkView
      .omit({ links: true })
      .extend({ link: z.array(networkLink), online: z.record(z.string(), wireBoolean) }),
  }),
  member: read('network/member', 'session', {
    summary: 'Members of one kind',
    input: networkTarget.extend({ member_type: memberType }),
    output: z.array(networkMember),
    example: { network_number: EXAMPLE.network_number, member_type: 'center' },
  }),
  addMember: write('network/add_member', 'network:edit', {
    summary: 'Add one member',
    input: memberTarget.extend({ member_type: memberType, confirm: confirmed }),
    done: 'added',
    refreshes: [...NETWORK_READS, ...MEMBER_READS],
    example: { ...EXAMPLE_MEMBER, member_type: 'point' },
  }),
  batchAddMember: write('network/batch_add_member', 'network:edit', {
    summary: 'Add several members as points; one that may not join says why. Refused where none may',
    input: networkTarget.extend({ router_name: bulkNames }),
    output: bulkResult,
    done: 'added',
    counts: bulkCounts,
    refreshes: [...NETWORK_READS, ...MEMBER_READS],
    example: { network_number: EXAMPLE.network_number, router_name: [EXAMPLE.router_name] },
  }),
  removeMember: write('network/remove_member', 'network:edit', {
    summary: 'Remove one member; works over quota too. With `confirm` 1 settings that it is part of are turned off',
    input: memberTarget.extend({ confirm: confirmed }),
    done: 'removed',
    refreshes: [...NETWORK_READS, ...MEMBER_READS],
    example: EXAMPLE_MEMBER,
  }),
  ciphers: write('network/ciphers', 'network:edit', {
    summary: 'Choose the ciphers of all tunnels of a network',
    input: networkTarget.extend({ ncp_ciphers: ciphers, revision: settingRevision }),
    done: 'set',
    refreshes: ['network/info'],
    example: { network_number: EXAMPLE.network_number, ncp_ciphers: 'sm' },
  }),
  unsupported: read('network/unsupported', 'network:edit', {
    summary: 'Devices that cannot follow a choice of ciphers, which network/ciphers would refuse',
    input: networkTarget.extend({ ncp_ciphers: ciphers }),
    output: z.array(networkMember.pick({ router_name: true, note: true })),
    example: { network_number: EXAMPLE.network_number, ncp_ciphers: 'sm' },
  }),
  reSendConfig: write('network/re_send_config', 'network:edit', {
    summary: 'Push the newest configuration again, to one member, which is a job, or to all',
    input: networkTarget.extend({ router_name: routerName.optional() }),
    output: acceptedJob.nullable(),
    done: 'resent',
    example: { network_number: EXAMPLE.network_number },
  }),
} as const
