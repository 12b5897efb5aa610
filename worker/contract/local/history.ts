import * as z from 'zod'
import { time } from '#contract/kernel/fields.ts'
import { interfaceInfo, transition } from '#contract/kernel/protocol.ts'

/* History of an account before the start of a local run, as the demo imports it into rows and hubs. */

/** Time without a device, from its last contact to its next hello. */
const absence = z.object({
  from: time,
  to: time,
  /** True: no close arrives, the lease ends. */
  silent: z.boolean().default(false),
  /** Version of the device after its return, if it is another. */
  version: z.string().optional(),
})
export type Absence = z.infer<typeof absence>

const deviceHistory = z.object({
  remote_host: z.string(),
  remote_port: z.int(),
  version: z.string(),
  mac: z.string(),
  interfaces: z.array(interfaceInfo),
})

/** Bytes by interface in steps of equal length, received and sent; null: the device was away. */
const trafficHistory = z.object({
  from: time,
  step_ms: z.int().positive(),
  interfaces: z.record(z.string(), z.array(z.tuple([z.int(), z.int()]).nullable())),
})
export type TrafficHistory = z.infer<typeof trafficHistory>

/** Dial of a software member into a device, from its beginning to its end. */
const pastDial = z.object({
  key: z.string(),
  network_number: z.string(),
  name: z.string(),
  remote: z.string(),
  start_at: time,
  end_at: time,
  rx: z.int(),
  tx: z.int(),
})
export type PastDial = z.infer<typeof pastDial>

export const routerHistory = z.object({
  /** First contact of a device that ever came. */
  since: time,
  absences: z.array(absence),
  /** Absences of the routers at the other ends of its links, by name. */
  peers: z.record(z.string(), z.array(absence)),
  device: deviceHistory,
  traffic: trafficHistory,
  dials: z.array(pastDial),
})
export type RouterHistory = z.infer<typeof routerHistory>

const acknowledgement = z.object({ router_name: z.string(), by: z.string(), at: time })
const pastMute = z.object({ router_name: z.string(), by: z.string(), from: time, until: time })

/** Alerts of the past follow from the absences; people acknowledged and muted them. */
export const alertHistory = z.object({
  since: time,
  absences: z.record(z.string(), z.array(absence)),
  acknowledgements: z.array(acknowledgement),
  mutes: z.array(pastMute),
})
export type AlertHistory = z.infer<typeof alertHistory>

/** States of software members, by name. */
export const clientHistory = z.record(z.string(), z.array(transition))
export type ClientHistory = z.infer<typeof clientHistory>
