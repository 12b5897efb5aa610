import type { NetworkView, PresenceView, ConfigView, RatePoint } from './protocol.ts'
import type { Grants } from './permissions.ts'

/** Whoever watches a live socket; made by the Worker from a checked ticket, never by the browser. */
export interface Viewer {
  readonly accountId: number
  readonly sessionId: string
  /** Single-use id of the ticket; a hub accepts it once. */
  readonly ticketId: string
  /** A limited role sees only its networks (account socket) . */
  readonly grants: Grants
  /** A client of the bare contract (router/traffic with `token`): it acknowledges nothing. */
  readonly isPlain: boolean
}

/** A device that proved its pinned key; made by the Worker. */
export interface DeviceIdentity {
  readonly accountId: number
  readonly routerId: number
  readonly routerName: string
  readonly serial: string
  readonly remoteHost: string
  readonly remotePort: number // 0 where the platform does not tell
  /** Single-use id of the device's token. */
  readonly tokenId: string
}

/** Upgrade headers that the Worker sets after removing any the client sent. */
export const HUB_HEADER = { viewer: 'x-netloom-viewer', device: 'x-netloom-device' } as const

export const HUB_KINDS = ['router', 'network', 'account'] as const
export type HubKind = (typeof HUB_KINDS)[number]

/** Who opens a socket on a hub, as the Worker has checked. */
export type UpgradeIdentity =
  | { readonly by: 'device'; readonly device: DeviceIdentity }
  | { readonly by: 'viewer'; readonly viewer: Viewer }

/** What use cases ask of the live half; every call is safe to repeat. */
export interface Hubs {
  router(routerId: number): RouterHubRpc
  network(networkId: number): NetworkHubRpc
  account(accountId: number): AccountHubRpc
}

export interface RouterHubRpc {
  /** The router's rows changed: read them, compile, push if the hash moved, and close a device that may not be there. */
  refresh(): Promise<void>
  /** Push the desired document again, also to a device that failed twice. */
  resend(): Promise<void>
  /** Ask the device to report everything now; false when it is offline. */
  requestReport(): Promise<boolean>
  /** Look at the device's lease now instead of at the next check. A peer that hears nothing of it makes it `suspect`. */
  checkLease(isSuspect?: boolean): Promise<void>
  /** Last 40 rates per interface, oldest first, with presence and configuration. */
  traffic(): Promise<{ data: Record<string, RatePoint[]>; presence: PresenceView; config: ConfigView }>
  /** The router is gone: close its socket with 4002, forget everything. */
  remove(): Promise<void>
  /** Close the viewers of these sessions; asked by the account's hub. */
  endSessions(sessionIds: string[]): Promise<void>
}

export interface NetworkHubRpc {
  /** Members changed: read the rows again and tell the viewers. */
  refresh(): Promise<void>
  status(): Promise<NetworkView>
  /** From a RouterHub: presence or configuration of a member moved. */
  memberChanged(change: { routerName: string; presence: PresenceView; config: ConfigView }): Promise<void>
  /** From a RouterHub: what one end knows of its links; only links that changed. */
  linksReported(report: {
    routerName: string
    links: { id: string; up: boolean; rttMs: number | null }[]
  }): Promise<void>
  remove(): Promise<void>
  endSessions(sessionIds: string[]): Promise<void>
}

export interface AccountHubRpc {
  /** From a RouterHub, on transitions only. */
  routerChanged(change: {
    routerName: string
    networkNumbers: string[]
    presence: PresenceView
    config: ConfigView
  }): Promise<void>
  /** The unread count may have moved; the hub reads it and tells open consoles. */
  noticesChanged(): Promise<void>
  /** Close every socket of these sessions, on all hubs, within a second. */
  endSessions(sessionIds: string[]): Promise<void>
  /** From hubs: which session watches which hub, so that `endSessions` finds it. False: the session has just ended. */
  watching(entry: { sessionId: string; hub: string; on: boolean }): Promise<boolean>
}
