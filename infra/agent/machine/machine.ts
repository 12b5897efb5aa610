import type { Counters } from '#contract/device/counters.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'

/** Interface of the machine under the agent: a real device, or a virtual router of the simulator. */
export interface Machine {
  readonly model: string
  /** Changes whenever counters start from zero. */
  readonly bootId: string
  interfaces(): Promise<InterfaceInfo[]>
  /** Bytes since boot of those interfaces that count. */
  counters(): Promise<Counters>
  /** Cheap fingerprint; changes when the interfaces may have changed. */
  fingerprint(): Promise<string>
}

/** Address of the device: that of its default route's interface. */
export const macOf = (interfaces: readonly InterfaceInfo[]): string =>
  (interfaces.find((i) => i.role === 'wan') ?? interfaces.find((i) => i.mac !== ''))?.mac ?? ''
