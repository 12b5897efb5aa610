import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { attentionRow, networkHealth, stateCount } from '#contract/kernel/health.ts'
import { numeric, routerName, time, wireBoolean } from '#contract/kernel/fields.ts'
import { presenceState } from '#contract/kernel/protocol.ts'

/** First steps of a new account, in this order. */
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

/** Overview of the networks and members that the role covers. */
const overview = z.object({
  at: time,
  /** 0: the live half did not answer. Links, history and availability are missing, the rest is of the rows. */
  live: wireBoolean,
  /** Numbers of the status line; all zero exactly where `attention` is empty: 全部正常. */
  status: z.object({
    networks_down: z.int(),
    networks_suspended: z.int(),
    networks_partial: z.int(),
    pops_expired: z.int(), // networks whose POP resource is over
    hardware_offline: z.int(),
    hardware_flapping: z.int(),
    software_flapping: z.int(),
    links_down: z.int(),
    links_one_sided: z.int(),
    single_center: z.int(),
    config_trouble: z.int(), // with devices too old for a setting
    overlaps: z.int(),
    reminders: z.int(), // POP resources and services that end, quotas nearly full
  }),
  /** 需要关注 by severity, then age; `count` is the number of all rows, of which the first and the first of each kind are sent. */
  attention: z.object({ count: z.int(), rows: z.array(attentionRow) }),
  members: z.object({ hardware: stateCount, software: stateCount, software_max: z.int() }),
  /** Memberships: a member in two networks takes two seats. */
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
      /** 0: its hub did not answer, of its links nothing is known. */
      live: wireBoolean,
      health: networkHealth,
      /** Software members among those that are 离线: they dial on demand, which is no fault. */
      software_offline: z.int(),
      /** Share of the last 24 h in which a centre was there, 0 to 1; null where none ever was. */
      availability: z.number().nullable(),
    }),
  ),
  /**
   * Members 在线 over the last 24 h, oldest first: each value holds until the next point, the last is at `at`. Begins when the
   * first member came; four points of five minutes at most, without the loss of an extreme.
   */
  presence: z.array(z.object({ at: time, online: z.int() })),
  /** First steps by what exists; `dismissed` by the account where not done. Empty once nothing is open. */
  first_steps: z.array(firstStep),
  /** Last changes of state, newest first. */
  changes: z.array(
    z.object({
      router_name: routerName,
      note: z.string(),
      from: presenceState,
      to: presenceState,
      at: time,
      reason: z.string(),
    }),
  ),
})
export type Overview = z.infer<typeof overview>

/** A noun of its own, so that pages which need only the account load no schema of hubs. */
export const overviewApi = {
  info: read('overview/info', 'session', {
    summary: 'What is not well, members by state, health of each network, and the last 24 hours',
    output: overview,
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
