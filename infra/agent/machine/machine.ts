import type { Counters, InterfaceInfo } from '../../../worker/contract/protocol.ts'

/** The device under the agent: a real one, or a virtual router of the simulator. */
export interface Machine {
  readonly model: string
  /** Changes whenever counters start from zero. */
  readonly bootId: string
  interfaces(): Promise<InterfaceInfo[]>
  /** Bytes since boot of those interfaces that count. */
  counters(): Promise<Counters>
  /** Cheap, and different once the interfaces may have changed. */
  fingerprint(): Promise<string>
}

/** What the device as a whole is known by: the address of its way out. */
export const macOf = (interfaces: readonly InterfaceInfo[]): string =>
  (interfaces.find((i) => i.role === 'wan') ?? interfaces.find((i) => i.mac !== ''))?.mac ?? ''
