import type { HubName } from '#contract/kernel/hubs.ts'
import type { JobResult } from '#contract/network/jobs.ts'

/* Save of a router's hub: what it knows of its router, for the rows of the database. */

export interface ConnectionLog {
  readonly epoch: number
  readonly online: 0 | 1
  readonly remoteHost: string
  readonly remotePort: number
  readonly version: string
  readonly reason: string
  readonly at: number
  /** IP address of the device itself. Absent in lines of an older release. */
  readonly localIp?: string
  /** Bytes of the presence that this line ends, of a SaaS device. */
  readonly volume?: { readonly upload: number; readonly download: number }
}

/** Time in which a link was up, from the report of its dialling end. */
export interface LinkRow {
  /** Key of the link and its start, the same in each report of it. */
  readonly key: string
  readonly number: string
  readonly server: string
  readonly orig: string
  readonly vpnIp: string
  readonly startAt: number
  readonly endAt: number | null
  readonly reason: string
}

export interface RouterSave {
  readonly hub: HubName
  readonly accountId: number
  readonly routerName: string
  /** Row of `router_states` by its keys in the schema, in the state of the hub's release. */
  readonly state: Readonly<Record<string, string | number | null>>
  readonly logs: readonly ConnectionLog[]
  readonly links: readonly LinkRow[]
  readonly results: readonly JobResult[]
  /** True: the dials at this device end, because it cannot report who dials it. */
  readonly isAway: boolean
  /** Changes in the documents of its peers. `carrier`: it has begun or ceased to run tunnels. */
  readonly moved: { readonly endpoint: boolean; readonly lans: boolean; readonly carrier: boolean }
}

/**
 * Answer of an account's hub to a save. `missing`: there is no row; `left`: the database is away, and the account's hub says
 * when to try again; `alone`: the router's hub has to save by itself.
 */
export type SaveAnswer = 'saved' | 'missing' | 'left' | 'alone'
