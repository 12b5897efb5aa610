import type { HubName } from '../../worker/contract/hubs.ts'
import type { InterfaceInfo } from '../../worker/contract/protocol.ts'

/** The router's rows as of the last refresh. */
export interface RouterFacts {
  readonly accountId: number
  readonly accountHub: HubName
  /** Null for a software member. */
  readonly deviceId: number | null
  /** Of the device's pinned key; null until one is pinned. */
  readonly keyFingerprint: string | null
  readonly routerName: string
  readonly networks: readonly { readonly hub: HubName; readonly number: string }[]
}

/** What the device reported about itself in its last hello. */
export interface DeviceFacts {
  readonly remoteHost: string
  readonly remotePort: number
  readonly probePort: number
  readonly version: string
  readonly mac: string
  readonly interfaces: readonly InterfaceInfo[]
}

export const unknownRouter: RouterFacts = {
  accountId: 0,
  accountHub: '',
  deviceId: null,
  keyFingerprint: null,
  routerName: '',
  networks: [],
}

export const unknownDevice: DeviceFacts = {
  remoteHost: '',
  remotePort: 0,
  probePort: 0,
  version: '',
  mac: '',
  interfaces: [],
}

type Owner = Pick<RouterFacts, 'accountId' | 'deviceId' | 'keyFingerprint'>

/** Same account, device and key. A key that was reset and is not replaced yet counts as the same. */
export const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.accountId === b.accountId &&
  a.deviceId === b.deviceId &&
  (a.keyFingerprint === null || b.keyFingerprint === null || a.keyFingerprint === b.keyFingerprint)
