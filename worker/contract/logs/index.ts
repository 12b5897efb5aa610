import * as z from 'zod'
import type { Access } from '#contract/kernel/permissions.ts'
import { read } from '#contract/kernel/endpoint.ts'
import { codeString, routerName, search, time, wireBoolean } from '#contract/kernel/fields.ts'
import { capped, rangedList } from '#contract/kernel/list.ts'
import { timeRange } from '#contract/kernel/time-range.ts'

/* Endpoints of logs: sign-ins, dials, connections, audit, and their exports. */

/** Member behind a record: its recorded name, its present note, and what leads to it. */
const recorded = {
  router_name: z.string(),
  /** Present note of the member; empty for a deleted one. */
  note: z.string(),
  /** Present name of the member; empty if it is deleted or outside the role. */
  present_name: z.string(),
  /** Kind of the member (router_type); null without it. */
  router_type: z.union([z.literal(1), z.literal(2)]).nullable(),
}

/** Sign-in of a software member at the client, also a failed one. */
const loginRow = z.object({
  log_id: z.int(),
  ...recorded,
  ip: z.string(),
  os: z.string(),
  version: z.string(),
  sys_brand: z.string(),
  sys_model: z.string(),
  sys_version: z.string(),
  success: wireBoolean,
  /** Reason of a failed sign-in; empty for a successful one. */
  reason: z.string(),
  create_time: time,
})

/** Dial of a software member or link of a hardware member: p2p to a centre, pop to an area of a POP resource. */
const dialRow = z.object({
  log_id: z.int(),
  ...recorded,
  network_number: z.string(),
  /** Present name of the network; empty for a deleted one. */
  network_name: z.string(),
  link_router_name: z.string(),
  /** Present note of the other end. */
  link_note: z.string(),
  pop_name: z.string(),
  area: z.string(),
  orig: z.string(),
  vpn_ip: z.string(),
  start_time: time,
  /** End of the dial; null while it lasts. */
  end_time: time.nullable(),
  /** Duration in seconds. */
  online_time: z.int(),
})

const connectionRow = z.object({
  log_id: z.int(),
  ...recorded,
  remote_ip: z.string(),
  remote_port: z.int().nullable(), // null: unknown, because the platform does not tell it
  version: z.string(),
  online: wireBoolean,
  /** Reason for which the member went offline, in words. */
  reason: z.string(),
  create_time: time,
  /** Time of the member's next line; null while the state lasts. */
  next_time: time.nullable(),
})

export const AUDIT_ACTORS = ['main', 'ram', 'operator', 'system'] as const
export type AuditActorKind = (typeof AUDIT_ACTORS)[number]

const difference = z.record(z.string(), z.unknown()).nullable()
const auditRow = z.object({
  log_id: z.int(),
  actor_kind: z.enum(AUDIT_ACTORS),
  actor_name: z.string(),
  module: z.string(),
  action: z.string(),
  target: z.string(),
  message: z.string(),
  /** Differing values by field; null without a change. */
  before: difference,
  after: difference,
  /** IP address; only for people of the account. */
  ip: z.string(),
  request_id: z.string(),
  create_time: time,
})

export const LOG_EXPORTS = ['software_login', 'connect', 'online', 'pop_online', 'audit'] as const
export type LogExport = (typeof LOG_EXPORTS)[number]
/** Access of each export. Logs of the whole account are for the main account. */
const EXPORT_ACCESS: Readonly<Record<LogExport, Access>> = {
  software_login: 'main',
  connect: 'session',
  online: 'session',
  pop_online: 'session',
  audit: 'main',
}

const ofMember = { search, router_name: z.literal('').or(routerName).default('') }
const ofAudit = {
  actor_kind: z.enum(['', ...AUDIT_ACTORS]).default(''),
  /** Name of the actor, matched as a whole. */
  actor: codeString().max(64).default(''),
  module: codeString().max(32).default(''),
}
/** Counts of a search. `searched_from`: only the newest rows of the range were searched, from this time on; null: all. */
const counts = { capped, searched_from: time.nullable() }

export const logsApi = {
  softwareLogin: read('logs/software_login', 'main', {
    summary:
      'Sign-ins of software members, of one with router_name, newest first; the last 7 days unless a range is given',
    ...rangedList({ row: loginRow, filters: ofMember, counts }),
  }),
  online: read('logs/online', 'session', {
    reads: 'near',
    summary:
      'Dials and links that overlap the range, of one member with router_name, newest first; the last 7 days unless a range is given',
    ...rangedList({ row: dialRow, filters: { ...ofMember, mode: z.enum(['p2p', 'pop']).default('p2p') }, counts }),
  }),
  connect: read('logs/connect', 'session', {
    reads: 'near',
    summary:
      'When devices came and went, of one with router_name, newest first; the last 7 days unless a range is given',
    ...rangedList({ row: connectionRow, filters: ofMember, counts }),
  }),
  audit: read('logs/audit', 'main', {
    summary: 'What was changed by whom, newest first; the last 7 days unless a range is given',
    ...rangedList({ row: auditRow, filters: { search, ...ofAudit }, counts }),
    example: { actor_kind: 'ram', module: 'network' },
  }),
  export: read('logs/export', 'session', {
    accessOf: ({ type }) => [EXPORT_ACCESS[type]],
    summary: 'All rows of a log as a workbook in base64, with the filters of its list; one at a time per account',
    input: timeRange({ type: z.enum(LOG_EXPORTS), ...ofMember, ...ofAudit }),
    output: z.string(),
    extra: { file_name: z.string() },
    done: 'exported',
    example: { type: 'connect' },
  }),
} as const
