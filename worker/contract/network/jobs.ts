import * as z from 'zod'
import { EXAMPLE, write, read } from '#contract/kernel/endpoint.ts'
import { numeric, routerName, wireBoolean } from '#contract/kernel/fields.ts'
import type { commandResult } from '#contract/kernel/protocol.ts'
import { EXAMPLE_MEMBER, memberTarget, networkTarget } from './fields.ts'

/* Endpoints and states of jobs, one-time commands to the devices of a network. */

/** Kinds of jobs. `resend` has no command: its result is the state of the configuration. */
export const NETWORK_JOB_KINDS = ['kill_user', 'reset_respawn', 'resend'] as const
export type NetworkJobKind = (typeof NETWORK_JOB_KINDS)[number]
export const DEVICE_JOB_KINDS = ['kill_user', 'reset_respawn'] as const
export type DeviceJobKind = (typeof DEVICE_JOB_KINDS)[number]

/** Result of a command for its row, with the reason in the device's own words. */
export interface JobResult {
  readonly id: string
  readonly state: z.infer<typeof commandResult>['state']
  readonly reason: string
  /** JSON text within JOB.dataMax; absent for none. */
  readonly data?: string
}

export const NETWORK_JOB_NAME: Readonly<Record<NetworkJobKind, string>> = {
  kill_user: '断开连接',
  reset_respawn: '重启隧道',
  resend: '重新下发',
}
/** Name of kill_user with `halt`. */
export const FORCE_OFFLINE_NAME = '强制下线'

/** State of a job. accepted: sent, or about to be sent. queued: the device is offline and runs it later. */
const jobState = z.enum(['accepted', 'queued', 'done', 'failed'])
export type JobState = z.infer<typeof jobState>
export const JOB_STATE_NAME: Readonly<Record<JobState, string>> = {
  accepted: '已受理',
  queued: '设备离线，上线后执行',
  done: '完成',
  failed: '失败',
}

export const jobId = z.string().regex(/^[0-9a-f]{32}$/)
export const acceptedJob = z.object({ job_id: jobId })
const start = { input: memberTarget, output: acceptedJob, done: 'accepted', example: EXAMPLE_MEMBER } as const

export const jobs = {
  killUser: write('network/kill_user', 'network:edit', {
    summary:
      'End the sessions of one member at the devices that it dials; it connects again by itself, a software member with halt 1 only when its person dials',
    ...start,
    input: memberTarget.extend({ halt: numeric(wireBoolean).optional() }),
  }),
  resetRespawn: write('network/reset_respawn', 'network:edit', {
    summary: 'Restart the tunnels that one device has in this network',
    ...start,
  }),
  job: read('network/job', 'session', {
    summary: 'How far the devices have got with what they were asked to do',
    input: networkTarget.extend({ job_id: jobId }),
    output: z.object({
      job_id: jobId,
      kind: z.enum(NETWORK_JOB_KINDS),
      /** Worst state over all devices. */
      state: jobState,
      devices: z.array(
        z.object({
          router_name: routerName,
          router_name_note: z.string(),
          state: jobState,
          /** Reason in the device's own words. */
          reason: z.string(),
          /** Data of the result by its kind, as the device gives it; null without any. */
          data: z.unknown(),
        }),
      ),
    }),
    example: { network_number: EXAMPLE.network_number, job_id: '0'.repeat(32) },
  }),
} as const
