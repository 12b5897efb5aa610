import type { InterfaceInfo } from '#contract/kernel/protocol.ts'

/** Facts of the device that its rendered files depend on: WAN and LAN interfaces, and the probe port. */
export interface Target {
  readonly wan: readonly string[]
  readonly lan: readonly string[]
  /** UDP port that answers link probes; 0: none. */
  readonly probePort: number
}

export const NO_TARGET: Target = { wan: [], lan: [], probePort: 0 }

/** Form of an interface name. Other names are left out, because the kernel allows quotes and semicolons in them. */
const NAME = /^\w[\w.@-]{0,14}$/

export function toTarget(interfaces: readonly InterfaceInfo[], probePort: number): Target {
  const names = (role: InterfaceInfo['role']) =>
    interfaces
      .filter((one) => one.role === role && NAME.test(one.interface))
      .map((one) => one.interface)
      .toSorted()
  return { wan: names('wan'), lan: names('lan'), probePort }
}
