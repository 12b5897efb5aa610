import * as z from 'zod'
import { memberPaths, stateCount } from '#contract/kernel/health.ts'
import { PRESENCE_STATES, configView, presenceView } from '#contract/kernel/protocol.ts'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import {
  codeString,
  confirmed,
  networkNumber,
  note,
  numeric,
  page,
  routerName,
  search,
  sentTime,
  time,
  wireBoolean,
} from '#contract/kernel/fields.ts'
import { withPhoneText } from '#contract/kernel/input/phone.ts'
import { BATCH_MAX, PAGE_SIZES } from '#contract/kernel/limits.ts'
import { TRAFFIC_RANGES } from '#contract/kernel/hub-limits.ts'
import { list, sortBy } from '#contract/kernel/list.ts'
import { DONE } from '#contract/kernel/result.ts'
import { settingRevision } from '#contract/network/fields.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { NETWORK_READS } from '#contract/network/views.ts'
import {
  SOFTWARE_REQUIRED,
  activationCode,
  boundPhone,
  checkBoundPhone,
  joinedNetwork,
  memberPassword,
  serialNumber,
  softwareUsername,
} from './fields.ts'
import { candidates, rate, routerDetail, routerEvents, routerRow, storedRate } from './views.ts'
import { EXCEPT_MAX, ROUTER_TYPE } from './limits.ts'

/* Endpoints of members, hardware and software: list, detail, add, edit, delete, push, traffic. */

const routerType = numeric(z.number().pipe(z.union([z.literal(ROUTER_TYPE.hardware), z.literal(ROUTER_TYPE.software)])))

/** Claims a device: `username` is its serial, `code` the activation code printed on the box. */
export const hardwareClaim = z.object({
  router_type: z.literal(ROUTER_TYPE.hardware),
  username: serialNumber,
  code: activationCode,
  note: note.default(''),
  network_number: joinedNetwork,
})
/** Adds a software member. `type` 2 with `code` confirms a phone that another member has (answer 401). */
export const softwareForm = z
  .object({
    router_type: z.literal(ROUTER_TYPE.software),
    username: softwareUsername,
    password: memberPassword,
    ...boundPhone,
    note: note.default(''),
    network_number: joinedNetwork,
  })
  .overwrite(withPhoneText)
  .superRefine(checkBoundPhone(false))

/** Sort keys of members. `state` sorts by severity, then name; `config` by severity; for `seen` a member online counts as now. */
const ROUTER_SORTS = ['created', 'name', 'state', 'config', 'networks', 'seen'] as const
export type RouterSort = (typeof ROUTER_SORTS)[number]

/** Number of rows by state, and of those among them that need attention, have a faulty configuration or a single centre. */
const filterCounts = stateCount.extend({ attention: z.int(), config: z.int(), single_center: z.int() })

/** Filters by state: attention (需关注) is every state that is not well, config 配置异常, single_center 单中心. */
const routerState = z.enum(['', ...PRESENCE_STATES, 'attention', 'config', 'single_center'])
export type RouterState = z.infer<typeof routerState>

const target = z.object({ router_name: routerName })
const one = { input: target, example: { router_name: EXAMPLE.router_name } }
/** Middle of the range in epoch ms; by default the range ends now. */
const around = { at: numeric(sentTime).optional() }

/** Points by interface, oldest first. */
const byInterface = <T extends z.ZodType>(point: T) => z.record(z.string(), z.array(point))

export const routers = {
  lists: read('router/lists', 'session', {
    summary: 'Members of one kind, newest first unless sorted otherwise',
    ...list({
      row: routerRow,
      filters: {
        search,
        type: routerType.prefault(ROUTER_TYPE.hardware),
        state: routerState.default(''),
        ...sortBy(ROUTER_SORTS),
      },
      counts: { states: filterCounts },
    }),
  }),
  quantity: read('router/quantity', 'session', {
    reads: 'near',
    summary: 'How many members, and how many may be',
    output: z.object({
      hardware: z.int(),
      hardware_online: z.int(),
      hardware_states: filterCounts,
      software: z.int(),
      software_online: z.int(),
      software_states: filterCounts,
      software_max: z.int(),
      sign: z.string(),
    }),
  }),
  info: read('router/info', 'session', {
    summary: 'One member with device, interfaces and networks',
    ...one,
    output: routerDetail,
  }),
  paths: read('router/paths', 'session', {
    reads: 'near',
    summary: 'Links of members that are up, of those that were opened; the names are separated by commas',
    input: z.object({
      router_name: z.preprocess(
        (sent) => (typeof sent === 'string' ? sent.split(',') : sent),
        z
          .array(routerName)
          .min(1)
          .max(Math.max(...PAGE_SIZES)),
      ),
    }),
    /** Paths by name. Null if unknown; a member without links is missing. */
    output: z.record(z.string(), memberPaths.nullable()),
    example: { router_name: [EXAMPLE.router_name] },
  }),
  events: read('router/events', 'session', {
    reads: 'near',
    summary:
      'When the state of a member changed in the last 48 hours, and its states of the last 24; with at its connections within 12 hours of then',
    input: target.extend(around),
    output: routerEvents,
    example: { router_name: EXAMPLE.router_name },
  }),
  add: write('router/add', 'router:create', {
    summary: 'Claim a hardware router or add a software member, also straight into a network',
    input: z.discriminatedUnion('router_type', [hardwareClaim, softwareForm]),
    output: z.object({ router_name: routerName }),
    done: 'added',
    refreshes: ['router/lists', 'router/quantity', 'router/member', ...NETWORK_READS],
    example: { router_type: 1, username: 'NL000000', code: 'AAAA-AAAA-AAAA' },
  }),
  note: write('router/note', 'router:edit', {
    summary: 'Note of a member',
    input: target.extend({ note, revision: settingRevision }),
    done: 'changed',
    refreshes: ['router/lists', 'router/info', 'router/member', 'network/info', 'network/member'],
    example: { router_name: EXAMPLE.router_name, note: '上海分公司' },
  }),
  delete: write('router/delete', 'router:delete', {
    summary: 'Delete a member; it leaves every network. With `confirm` 1 settings that it is part of are turned off',
    input: target.extend({ confirm: confirmed }),
    done: 'deleted',
    refreshes: ['router/lists', 'router/quantity', 'router/member', ...NETWORK_READS],
    example: { router_name: EXAMPLE.router_name },
  }),
  batchDelete: write('router/batch_delete', 'router:delete', {
    summary: 'Delete members by name; one that may not go stays and says why. Refused where none may go',
    input: z.object({
      router_name: z.array(routerName).min(1, SOFTWARE_REQUIRED).max(BATCH_MAX, `一次最多删除${BATCH_MAX}个成员`),
      confirm: confirmed,
    }),
    output: z.object({
      deleted: z.int(),
      /** Results in the order of the call. `msg` is the reason for which a member stays. */
      result: z.array(z.object({ router_name: routerName, deleted: wireBoolean, msg: z.string() })),
    }),
    done: 'deleted',
    counts: ({ deleted, result }) => ({ done: deleted, left: result.length - deleted, noun: '成员' }),
    refreshes: ['router/lists', 'router/quantity', 'router/member', ...NETWORK_READS],
    example: { router_name: [EXAMPLE.router_name] },
  }),
  updateStatus: write('router/update_status', 'router:edit', {
    summary: 'Disable (0) or enable (1) a member; without status, ask an online device to report everything now',
    input: target.extend({ status: numeric(wireBoolean).optional(), confirm: confirmed }),
    sentence: (_, { status }) => DONE[status === undefined ? 'sent' : status === 1 ? 'enabled' : 'disabled'],
    example: { router_name: EXAMPLE.router_name },
  }),
  resend: write('router/resend', 'router:edit', {
    summary: 'Push the newest configuration of a hardware member again',
    ...one,
    done: 'resent',
  }),
  member: read('router/member', 'session', {
    reads: 'near',
    summary:
      'Members that may be chosen for a network, by kind and name; those of the named network first. Without a limit all that a network takes',
    input: z.object({
      search,
      kind: z.enum(['', 'hardware', 'software']).default(''),
      state: z.enum(['', ...PRESENCE_STATES]).default(''),
      network_number: codeString().max(32).default(''),
      /** 1: members of the named network are left out. */
      outside: numeric(wireBoolean).default(0),
      /** Further members that are left out, separated by commas. */
      except: z
        .preprocess(
          (sent) => (typeof sent === 'string' ? sent.split(',').filter(Boolean) : sent),
          z.array(routerName).max(EXCEPT_MAX),
        )
        .default([]),
      page,
      limit: numeric(z.int().positive().max(NETWORK.membersMax)).default(NETWORK.membersMax),
    }),
    output: candidates,
    extra: {
      /** Number of rows on all pages. */
      count: z.int(),
      /** Numbers of the same search by kind, and by state within the kind. */
      kinds: z.object({ hardware: z.int(), software: z.int() }),
      states: stateCount,
    },
  }),
  choices: write('router/choices', 'session', {
    summary: 'The same members by name, and all members of networks, 204 where no name is known; nothing is written',
    unmetered: true,
    input: z.object({
      router_name: z.array(routerName).max(NETWORK.membersMax, `一次最多查询${NETWORK.membersMax}个成员`).default([]),
      network_number: z.array(networkNumber).max(NETWORK.membersMax).default([]),
    }),
    /** `unknown`: names that are no member of the caller's scope. */
    output: candidates.extend({ unknown: z.array(routerName) }),
    example: { router_name: [EXAMPLE.router_name] },
  }),
  traffic: read('router/traffic', 'session', {
    summary: 'Last 40 rates per interface; with Upgrade, the live stream',
    ...one,
    output: z.object({ data: byInterface(rate), presence: presenceView, config: configView }),
  }),
  series: read('router/series', 'session', {
    reads: 'near',
    summary:
      'Rates per interface of the last hour, day, week or 30 days; each point is the average of the step that ends then',
    input: target.extend({ range: z.enum(TRAFFIC_RANGES), ...around }),
    output: z.object({ from: time, to: time, step_ms: z.int(), data: byInterface(storedRate) }),
    example: { router_name: EXAMPLE.router_name, range: 'day' },
  }),
} as const
