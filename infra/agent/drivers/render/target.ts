import type { InterfaceInfo } from '#contract/kernel/protocol.ts'

/** Facts of the device that its rendered files depend on: WAN and LAN interfaces, the probe port, and folders. */
export interface Target extends Folders {
  readonly wan: readonly string[]
  readonly lan: readonly string[]
  /** UDP port that answers link probes; 0: none. */
  readonly probePort: number
}

export interface Folders {
  /** Certificates and keys, for root alone. */
  readonly keys: string
  /** Files that processes without privileges open after their start: client folders, revocation lists, sockets. */
  readonly shared: string
  /** Key of the device where it is not among `keys`: networks of a node share it. */
  readonly deviceKey?: string
}

/** Folders of rendered files that nothing runs; their paths start in the state folder. */
const RENDERED_FOLDERS: Folders = { keys: 'keys', shared: 'run' }

export const NO_TARGET: Target = { wan: [], lan: [], probePort: 0, ...RENDERED_FOLDERS }

/** Form of an interface name. Other names are left out, because the kernel allows quotes and semicolons in them. */
const NAME = /^\w[\w.@-]{0,14}$/

export function toTarget(
  interfaces: readonly InterfaceInfo[],
  probePort: number,
  folders: Folders = RENDERED_FOLDERS,
): Target {
  const names = (role: InterfaceInfo['role']) =>
    interfaces
      .filter((one) => one.role === role && NAME.test(one.interface))
      .map((one) => one.interface)
      .toSorted()
  return { wan: names('wan'), lan: names('lan'), probePort, ...folders }
}
