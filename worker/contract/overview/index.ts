import * as z from 'zod'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import { attentionRow, networkHealth, stateCount } from '#contract/kernel/health.ts'
import { numeric, routerName, time, wireBoolean } from '#contract/kernel/fields.ts'
import { linkView, transition } from '#contract/kernel/protocol.ts'
import { ticketStatus } from '#contract/ticket/index.ts'

/* Endpoints of the overview: health of networks and members, rows that need attention, first steps. */

/** First steps of a new account, in order. */
export const FIRST_STEPS = ['service', 'hardware', 'software', 'network', 'online', 'alert'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]
export const FIRST_STEP_TITLE: Readonly<Record<FirstStep, string>> = {
  service: '开通服务',
  hardware: '认领硬件',
  software: '添加成员',
  network: '建组网',
  online: '看到在线',
  alert: '开启告警',
}
const firstStep = z.object({ step: z.enum(FIRST_STEPS), state: z.enum(['open', 'done', 'dismissed']) })
export type FirstStepState = z.infer<typeof firstStep>

const changeOfMember = z.object({ router_name: routerName, note: z.string(), ...transition.shape })

const overview = z.object({
  at: time,
  /** 0: the hub did not answer. Links, history and availability are missing; the rest comes from the rows. */
  live: wireBoolean,
  /**
   * Numbers of the status line. All are zero exactly if `attention` is empty and no network is unknown: all normal
   * (全部正常).
   */
  status: z.object({
    networks_down: z.int(),
    networks_suspended: z.int(),
    networks_partial: z.int(),
    networks_unknown: z.int(), // nothing is known to be wrong, but most of their links are unknown
    pops_expired: z.int(), // networks with an expired POP resource
    pops_offline: z.int(),
    suspected: z.int(), // objects that their peers do not reach, or networks whose links fail
    hardware_offline: z.int(),
    hardware_flapping: z.int(),
    hardware_unreadable: z.int(),
    software_flapping: z.int(),
    links_together: z.int(), // groups of links of one object that failed together
    links_down: z.int(),
    links_one_sided: z.int(),
    single_center: z.int(),
    config_trouble: z.int(), // including devices too old for a setting
    overlaps: z.int(),
    terms_over: z.int(), // services and SaaS devices whose term is over
    deliveries_failed: z.int(), // alert channels that take no messages
    directory: z.int(), // failed runs of the directory, and those that ask
    reminders: z.int(), // terms that end soon, quotas that are nearly full, contacts, answered tickets
  }),
  /** Rows that need attention (需要关注), by severity, then age. `count` is of all rows; only the first ones are sent. */
  attention: z.object({ count: z.int(), rows: z.array(attentionRow) }),
  members: z.object({ hardware: stateCount, software: stateCount, software_max: z.int() }),
  /** Memberships in networks. A member in two networks takes two seats. */
  seats: z.object({ used: z.int(), total: z.int() }),
  /** End of the first service to end; null without services. */
  service_end: time.nullable(),
  /** 1: the account sends alerts. */
  alerts: wireBoolean,
  networks: z.array(
    z.object({
      network_number: z.string(),
      network_name: z.string(),
      network_status: wireBoolean,
      /** 0: its hub did not answer, and its links are unknown. */
      live: wireBoolean,
      health: networkHealth,
      /** Software members among the offline (离线) ones. They dial on demand, which is no fault. */
      software_offline: z.int(),
      /** Share of the last 24 h with a centre online, 0 to 1; null if none ever was. */
      availability: z.number().nullable(),
      /** Time since a centre came first within these 24 h, of which the share is; 0 without a share. */
      availability_ms: z.int(),
    }),
  ),
  /**
   * Members online (在线) over the last 24 h, oldest first. Each value holds until the next point; the last is at `at`. It
   * begins with the first online member and has at most four points in five minutes, which keep all extremes.
   */
  presence: z.array(z.object({ at: time, online: z.int() })),
  /** State of the first steps. The account may dismiss a step. Empty if no step is open. */
  first_steps: z.array(firstStep),
  /** Newest open ticket on services (TICKET_TYPES 1) that the caller sees, while 开通服务 is open; else null. */
  service_request: z.object({ ticket_number: z.string(), ticket_status: ticketStatus, create_time: time }).nullable(),
  /** Device claimed last that never came, while 看到在线 is open; else null. */
  awaited: z.object({ router_name: routerName, note: z.string(), since: time }).nullable(),
  /** Last changes of state, newest first. */
  changes: z.array(changeOfMember),
})
export type Overview = z.infer<typeof overview>

/** End of a link; `router_name` is '' for a POP node. `receives`: it reports probes of the other end; null: no report. */
const linkEnd = z.object({ router_name: z.string(), note: z.string(), receives: wireBoolean.nullable() })

/** Facts about a row that needs attention, and steps against its trouble. */
const evidence = z.object({
  /** The row as it is now; null: the trouble is over, and the rest is empty. */
  row: attentionRow.nullable(),
  /** Last changes of state of the devices behind the row, newest first. */
  events: z.array(changeOfMember),
  /** Links of the object that are not up, the newest fault first. */
  links: z.array(
    z.object({
      network_number: z.string(),
      ...linkView.pick({ state: true, reason: true, since: true }).shape,
      ends: z.array(linkEnd),
    }),
  ),
  /** Devices of the account behind the public address of the object, itself among them; null: unknown, or alone. */
  site: z.object({ address: z.string(), devices: z.int(), offline: z.int() }).nullable(),
  /** Steps against it, the most probable first. */
  steps: z.array(z.string()),
  /** Device whose tunnels a restart may mend; null: a restart does not help. */
  restart: z.object({ network_number: z.string(), router_name: routerName }).nullable(),
})
export type Evidence = z.infer<typeof evidence>

const EXAMPLE_ROW = { id: `outage ${EXAMPLE.router_name}` } as const
const rowInput = z.object({ id: z.string('请选择事项').min(1, '请选择事项').max(400, '请选择事项') })

/** Separate from the account noun, so that pages of the account load no schemas of hubs. */
export const overviewApi = {
  info: read('overview/info', 'session', {
    reads: 'near',
    summary: 'What is not well, members by state, health of each network, and the last 24 hours',
    output: overview,
  }),
  evidence: read('overview/evidence', 'session', {
    reads: 'near',
    summary: 'Events, views of both ends, and steps of one row that needs attention',
    input: rowInput,
    output: evidence,
    example: EXAMPLE_ROW,
  }),
  handle: write('overview/handle', 'session', {
    summary: 'Handle a row that needs attention; acknowledges its open alert if the caller may',
    input: rowInput,
    done: 'handled',
    refreshes: ['overview/info', 'overview/evidence', 'monitor/alerts'],
    example: EXAMPLE_ROW,
  }),
  dismissSteps: write('overview/dismiss_steps', 'main', {
    summary: 'Take first steps off the overview of the whole account, or put them back',
    input: z.object({
      steps: z.array(z.enum(FIRST_STEPS)).min(1, '请选择步骤').max(FIRST_STEPS.length),
      dismissed: numeric(wireBoolean).default(1),
    }),
    refreshes: ['overview/info'],
    example: { steps: ['software'] },
  }),
} as const
