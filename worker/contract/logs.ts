import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { routerName, search, time } from './fields.ts'
import { list } from './list.ts'
import { timeRange } from './time-range.ts'

/** A sign-in of a software member at the client, failed tries too. */
const loginRow = z.object({
  router_name: z.string(),
  ip: z.string(),
  os: z.string(),
  version: z.string(),
  sys_brand: z.string(),
  sys_model: z.string(),
  sys_version: z.string(),
  success: z.union([z.literal(0), z.literal(1)]),
  /** Why it failed; empty for one that did not. */
  reason: z.string(),
  create_time: time,
})

/** A dial of a software member: p2p into a network's centre, pop into an area of a POP resource. */
const dialRow = z.object({
  router_name: z.string(),
  network_number: z.string(),
  link_router_name: z.string(),
  pop_name: z.string(),
  area: z.string(),
  orig: z.string(),
  vpn_ip: z.string(),
  start_time: time,
  /** Null while it lasts. */
  end_time: time.nullable(),
  /** Seconds. */
  online_time: z.int(),
})

const ofMember = { search, router_name: z.literal('').or(routerName).default('') }
const modes = z.enum(['p2p', 'pop']).default('p2p')
const [logins, dials] = [list({ row: loginRow }), list({ row: dialRow })]

export const logsApi = {
  softwareLogin: endpoint({
    method: 'GET',
    path: 'logs/software_login',
    access: 'main',
    summary:
      'Sign-ins of software members, of one with router_name, newest first; the last 7 days unless a range is given',
    ...logins,
    input: timeRange({ ...logins.input.shape, ...ofMember }),
    example: {},
  }),
  online: endpoint({
    method: 'GET',
    path: 'logs/online',
    access: 'session',
    summary:
      'Dials of software members, of one with router_name, newest first; the last 7 days unless a range is given',
    ...dials,
    input: timeRange({ ...dials.input.shape, ...ofMember, mode: modes }),
    example: {},
  }),
} as const
