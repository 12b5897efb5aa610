import type { ActivationCode } from './activation-code.ts'
import type { Clock } from './clock.ts'
import type { Driver } from './drivers/driver.ts'
import type { OpenSocket } from './hub-socket.ts'
import type { DialSource } from './dial-source.ts'
import type { FlowLog } from './flows/flow-log.ts'
import type { Log } from './log.ts'
import type { Machine } from './machine/machine.ts'
import type { Prober } from './probe/prober.ts'
import type { Store } from './store.ts'
import type { DirectoryAccess } from './tunnel/tunnels.ts'

export interface AgentOptions {
  readonly server: string
  readonly serial: string
  readonly activationCode: ActivationCode
  readonly version: string
}

export type LinkProbe = Pick<Prober, 'port' | 'reports' | 'watch' | 'restart'>

export interface AgentPorts {
  readonly clock: Clock
  readonly random: () => number
  readonly machine: Machine
  readonly driver: Driver
  readonly store: Store
  readonly openSocket: OpenSocket
  readonly fetch: typeof fetch
  /** Shared by all agents of a process; null: this device neither probes nor answers. */
  readonly prober: LinkProbe | null
  /** Source of dials into this device; absent where nothing runs its services. */
  readonly dials?: DialSource
  /** Counter of flows; absent where flows cannot be counted. */
  readonly flows?: FlowLog
  /** Access to directories; absent where tunnels are not carried. */
  readonly directories?: DirectoryAccess
  readonly log: Log
}
