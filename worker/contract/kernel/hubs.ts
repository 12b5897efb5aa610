import type * as z from 'zod'
import type {
  AlertChildRow,
  AlertAnswer,
  AlertQuestion,
  AlertTask,
  AlertTaskState,
  DeliveryAnswer,
  DeliveryQuestion,
  UnsentRow,
} from '#contract/monitor/index.ts'
import type { RouterQuestionsRpc } from '#contract/device/questions.ts'
import type { DirectoryHubRpc } from '#contract/ldap/hub.ts'
import type { AlertRule } from '#contract/monitor/alert.ts'
import type { MemberPaths, NetworkSummary } from './health.ts'
import type { AlertHistory, RouterHistory } from '#contract/local/history.ts'
import type { Grants } from './permissions.ts'
import type { Session } from './session.ts'
import type { TrafficRange } from './hub-limits.ts'
import type {
  ConfigView,
  LinkView,
  NetworkView,
  PresenceState,
  PresenceView,
  RatePoint,
  transition,
  TunnelEnd,
} from './protocol.ts'
import type { NetworkLinksRpc, RouterLinksRpc } from '#contract/network/tunnels.ts'
import type { RouterSave, SaveAnswer } from '#contract/router/saves.ts'
import type { StoragePage } from '#contract/router/transfer.ts'
import type { StoredRate } from '#contract/router/views.ts'
import type { flowPoint, shareRow } from '#contract/saas/index.ts'
import type { NetworkDiagnosesRpc } from '#contract/network/diagnosis.ts'
import type { TunnelRequest } from './tunnel-frames.ts'

/* Interfaces of the hubs (Durable Objects): names, outbox tasks, identities of sockets, calls. */

export const HUB_KINDS = ['router', 'network', 'account'] as const
export type HubKind = (typeof HUB_KINDS)[number]

/** Objects whose missing row is counted: hubs that hold a state, and devices that run a configuration. */
export const MISSING_KINDS = [...HUB_KINDS, 'directory', 'device'] as const
export type MissingKind = (typeof MISSING_KINDS)[number]

/**
 * Name of a hub, the `hub` column of its row: `<place>.<128 random bits, hex>`. The place is a location hint or a
 * jurisdiction of Durable Objects, or `default` for that of the environment (HUB_PLACE).
 */
export type HubName = string

export const LOCATION_HINTS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const
export const JURISDICTIONS = ['eu', 'fedramp'] as const

/** Ops of the hub outbox. They have no payload, because the hub reads its rows again: delivery may be repeated. */
export const HUB_OPS = ['refresh', 'remove', 'resend'] as const
type HubOp = (typeof HUB_OPS)[number]

/** Task of an entry of the hub outbox: `resend` is for routers only. */
export interface HubTask {
  readonly kind: HubKind
  readonly hub: HubName
  readonly op: HubOp
}

export interface OutboxEntry extends HubTask {
  readonly id: string
  /** Request or cron run that the entry comes from; missing or '' where none is known, as from the release before. */
  readonly requestId?: string
}

/** Identity of a live-socket viewer; made by the Worker from a verified ticket, never by the browser. */
export interface Viewer {
  readonly accountId: number
  /** The account's hub, which knows the sessions that have ended. */
  readonly accountHub: HubName
  /** Key of the session with its rights (domain/account/watch-key.ts). */
  readonly sessionId: string
  /** Single-use id of the ticket; a hub accepts it once. */
  readonly ticketId: string
  /** Key of the person (domain/account/user.ts), because messages are read and deleted by person. */
  readonly person: string
  /** A limited role sees only its networks (account socket). */
  readonly grants: Grants
  /** A client of the bare contract (router/traffic with `token`): it acknowledges nothing. */
  readonly isLegacy: boolean
}

/** Identity of a device with a verified key, made by the Worker. */
export interface DeviceIdentity {
  readonly accountId: number
  readonly deviceId: number
  /** Fingerprint of the pinned key with which the device proved itself. */
  readonly keyFingerprint: string
  readonly routerName: string
  readonly serial: string
  readonly remoteHost: string
  readonly remotePort: number // 0 if the platform hides it
  /** Single-use id of the device's token. */
  readonly tokenId: string
  /** The pinned key: `x` of its JWK. Absent from a Worker of the release before. */
  readonly publicKey?: string
}

/** Device that comes by its return ticket, which only its hub can confirm. */
export interface ReturningDevice {
  readonly device: DeviceIdentity
  /** Generation of the ticket. */
  readonly generation: number
}

/** Identity of the opener of a socket, checked by the Worker. */
export type UpgradeIdentity =
  | { readonly by: 'device'; readonly device: DeviceIdentity }
  | { readonly by: 'returning'; readonly returning: ReturningDevice }
  | { readonly by: 'viewer'; readonly viewer: Viewer }
  | { readonly by: 'tunnel'; readonly tunnel: TunnelIdentity }
  | { readonly by: 'selfTest' }

/** Device that opens the socket of a tunnel. The directory's hub checks that it asked this device. */
export interface TunnelIdentity {
  readonly deviceId: number
  readonly ticket: string
}

/** Upgrade headers that the Worker sets after removing any the client sent. */
export const HUB_HEADER = {
  viewer: 'x-netloom-viewer',
  device: 'x-netloom-device',
  returning: 'x-netloom-returning', // not that of a device: a hub of the release before would not check the generation
  tunnel: 'x-netloom-tunnel',
  selfTest: 'x-netloom-self-test',
} as const

/** Account hub of the operator's self-test. It has no row, and no account is ever given its name. */
export const SELF_TEST_HUB: HubName = `default.${'0'.repeat(32)}`
/** The same of the status, whose calls must not come between those of a self-test. */
export const PROBE_HUB: HubName = `default.${'0'.repeat(31)}1`

/** Words with which a hub refuses a call of a method that it does not have. */
export const MISSING_METHOD = 'this hub has no method'

/** True for the refusal of a hub of an earlier release, which does not have the method; RPC keeps nothing but the words. */
export const isMissingMethod = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith(MISSING_METHOD)

/** Hub calls of use cases; all are idempotent. `requestId` is that of the request behind a call, if it is an earlier one. */
export interface Hubs {
  router(hub: HubName, requestId?: string): RouterHubRpc
  network(hub: HubName, requestId?: string): NetworkHubRpc
  account(hub: HubName, requestId?: string): AccountHubRpc
  directory(hub: HubName): DirectoryHubRpc
}

export interface RouterHubRpc extends RouterLinksRpc, RouterQuestionsRpc {
  /** Reads the router's rows, compiles, pushes if the hash changed, and disconnects a device without access. */
  refresh(): Promise<void>
  /** Reads and compiles the rows, then pushes the document, also to a device that failed twice. */
  resend(): Promise<void>
  /** Asks the device to report everything now; false when it is offline. */
  requestReport(): Promise<boolean>
  /** Asks the device at once for a tunnel to a directory. */
  openTunnel(request: TunnelRequest): Promise<'asked' | 'offline' | 'too_old'>
  /** True if the device's return ticket would open a socket now. */
  holdsTicket(returning: ReturningDevice): Promise<boolean>
  /**
   * Checks the device's lease now, not at the next alarm. `isSuspect`: a peer reports that the device is silent.
   * `isUnreadable`: the router is shown as unreadable, so its state is saved and sent again.
   */
  checkLease(isSuspect?: boolean, isUnreadable?: boolean): Promise<void>
  /** Repeats a save or a read that the database has refused; true if no save and no read is left. */
  retryDatabase(): Promise<boolean>
  /** Last 40 rates per interface, oldest first, with presence and configuration. */
  traffic(): Promise<{ data: Record<string, RatePoint[]>; presence: PresenceView; config: ConfigView }>
  /** Stored rates around `at`, or up to now, averaged by step of the range. A step without data has no point. */
  trafficSeries(
    range: TrafficRange,
    at?: number,
  ): Promise<{ from: number; to: number; data: Record<string, StoredRate[]> }>
  /** Flows of a SaaS device by application or LAN address. `uncounted` is null if unknown. */
  flowSeries(question: FlowQuestion): Promise<{ step_ms: number; series: readonly FlowSeries[]; uncounted: Uncounted }>
  flowTop(question: FlowQuestion): Promise<{ rows: readonly FlowShare[]; uncounted: Uncounted }>
  /** Traffic of the device's WAN over time. */
  wanTraffic(range: TimeRange): Promise<{ step_ms: number; points: readonly FlowPoint[] }>
  /** Bytes of the device's WAN since it came online, and if it counts flows. */
  presenceTraffic(): Promise<{ since: number | null; upload: number; download: number; countsFlows: boolean }>
  /** The router was deleted: send the empty document, close the socket with 4002, delete everything. No read does that. */
  remove(): Promise<void>
  /** Page of the hub's storage; without a cursor the first one, from which on the hub lets no device in for a while. */
  exportStorage(cursor: string | null): Promise<StoragePage>
  /** Lets the device in again, after a transfer that was given up. */
  endTransfer(): Promise<void>
  /** Stores a page of another hub's storage in a new hub, which uses it once its row names it. */
  importStorage(page: StoragePage): Promise<void>
  /** Close the viewers of these sessions; asked by the account's hub. */
  endSessions(sessionIds: string[]): Promise<void>
  /** Stores the history of a device that never came. Local runs only. */
  importHistory(history: RouterHistory): Promise<void>
}

/** Range of time in epoch milliseconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}
export interface FlowQuestion extends TimeRange {
  readonly kind: 'apps' | 'sources'
}
/** Bit/s over the step that ends at `time`: `input` is upstream, `out` downstream. */
export type FlowPoint = Readonly<z.infer<typeof flowPoint>>
/** Flows of one name. The empty name is the rest. */
export interface FlowSeries {
  readonly name: string
  readonly points: readonly FlowPoint[]
}
/** Bytes of a name. In replies to people `share` is a percentage. */
export interface FlowShare extends Readonly<Omit<z.infer<typeof shareRow>, 'share'>> {
  /** Share of all bytes, in hundredths of a percent. */
  readonly share: number
}
/** Bytes that the interfaces counted beyond the flows; null if one of the two did not count. */
export type Uncounted = Readonly<Omit<FlowPoint, 'time'>> | null

/** Centres of a network, by name, and the revision of the network that their documents shall have. */
export interface CentersQuestion {
  readonly centers: readonly string[]
  readonly revision: number
}

export interface NetworkHubRpc extends NetworkDiagnosesRpc, NetworkLinksRpc {
  /** Members changed: read the rows again and send them to the viewers. */
  refresh(): Promise<void>
  /** State of the network. A hub with another `revision` than the row's reads the rows again first. */
  status(revision: number): Promise<NetworkView>
  /** Links of one member, in the order of the rows, and their summary. */
  routerLinks(revision: number, routerName: string): Promise<RouterLinks>
  /** Health for the account's hub, if that has no summary or an outdated one. */
  health(revision: number): Promise<NetworkHealthReport>
  /** Repeats a read that the database has refused; true if no read is left. */
  retryDatabase(): Promise<boolean>
  /** Call of a RouterHub: presence or configuration of a member changed. */
  memberChanged(
    change: ClientChange & {
      readonly config: ConfigView
      readonly remoteHost?: string
      /** Addresses of a device that runs tunnels; null if it runs none. Absent before its first hello. */
      readonly tunnels?: { readonly seenAt: string; readonly wan: string } | null
      /** Revision of the network that the document of a centre with tunnels is compiled from. */
      readonly compiled?: number
    },
  ): Promise<void>
  /**
   * Call of a RouterHub: true once the centres among these that are present run documents of this revision or a later one,
   * false after CONFIG_PUSH.holdMs.
   */
  centersApplied(question: CentersQuestion): Promise<boolean>
  /** Call of the AccountHub: states of software members by the newest rows. These members have no hub. */
  clientsChanged(changes: readonly ClientChange[]): Promise<void>
  /** Call of a RouterHub: link reports of one end; only links that changed. */
  linksReported(report: {
    routerHub: HubName
    routerName: string
    links: { id: string; up: boolean; rttMs: number | null; tunnel?: TunnelEnd; remote?: string }[]
  }): Promise<void>
  remove(): Promise<void>
  endSessions(sessionIds: string[]): Promise<void>
}

/** State of a member. `routerHub` is the name in its row; of a software member no hub of that name runs. */
export interface ClientChange {
  readonly routerHub: HubName
  readonly routerName: string
  readonly presence: PresenceView
}

export interface RouterLinks {
  readonly links: readonly LinkView[]
  readonly paths: MemberPaths
}

/** Health of one network. A report with an older `seq` than the known one is ignored. */
export interface NetworkHealthReport {
  readonly number: string
  /** Revision of the rows behind the report. */
  readonly revision: number
  readonly seq: number
  readonly summary: NetworkSummary
  /** Paths of members that have links, by name. */
  readonly paths: Readonly<Record<string, MemberPaths>>
}

/** Change of a member's state. Reconnecting (重连中) is no change (worker/domain/health/history.ts). */
export type StateMove = Readonly<z.infer<typeof transition>>

export interface HealthQuestion {
  /** Networks by their rows. The hub asks again for a summary that differs from its row. */
  readonly networks: readonly {
    readonly hub: HubName
    readonly revision: number
    readonly members: Readonly<Record<PresenceState, number>>
  }[]
  /** Start of the transitions; null for no transitions and no settings of devices. */
  readonly since: number | null
}

export interface HealthAnswer {
  /** Summaries by the network's hub. A hub without a known summary that does not answer is missing. */
  readonly summaries: Readonly<Record<HubName, NetworkSummary>>
  /** Transitions of members, newest first. */
  readonly transitions: readonly (StateMove & { readonly routerHub: HubName })[]
  /** Settings that a device does not support, by the router's hub. */
  readonly unsupported: Readonly<Record<HubName, readonly string[]>>
  /** Open alerts of the account; missing from a hub of the release before. */
  readonly alerts?: readonly OpenAlert[]
  /** Alert channels that fail; missing from a hub of the release before. */
  readonly channels?: readonly FailingChannel[]
}

/** Recipient of alerts that does not take them. */
export interface FailingChannel {
  readonly channel: 'mail' | 'webhook'
  /** Mail address; '' for the webhook. */
  readonly target: string
  /** First failure since it last answered. */
  readonly since: number
  readonly words: string
}

export interface OpenAlert {
  readonly id: string
  readonly rule: AlertRule
  /** Name of a router, `<network number>/<node>` of a POP connection, '*' for many at once (worker/domain/monitor/state.ts). */
  readonly object: string
  /** Names of the centres that are lost with it. */
  readonly centers?: readonly string[]
  readonly networks: readonly string[]
  readonly ackBy: string | null
  readonly ackAt: number | null
}

export interface DirectoryTrouble {
  /** `stop`: a run asks. `failed`: three runs in a row failed. `certificate`: that of the server ends within 30 days. */
  readonly kind: 'stop' | 'failed' | 'certificate'
  readonly at: number
  readonly reason: string
}

/** `ended` is also one whose rights have changed. `unread`: the hub does not know all ends yet, and reads them. */
export type SessionState = 'open' | 'ended' | 'unread'

export interface AccountHubRpc {
  /** Call of a RouterHub, on transitions only; `moves` are repeated until one call has succeeded. */
  routerChanged(change: {
    routerHub: HubName
    moves: readonly StateMove[]
    /** Settings that the device does not support (worker/domain/network/compile/device-settings.ts), and missing jobs. */
    missing: readonly string[]
    /** Those of them that its document uses. */
    unsupported: readonly string[]
    routerName: string
    seenIn: string[]
    presence: PresenceView
    config: ConfigView
  }): Promise<void>
  /** Call of a RouterHub: saves a presence or lines of the connection log with those of the account's other routers. */
  saveRouter(save: RouterSave): Promise<SaveAnswer>
  /** Call of a NetworkHub: these routers' hubs have not answered a check. */
  hubsSilent(routerHubs: readonly HubName[]): Promise<void>
  /** Call of a hub that the database does not answer. From then on this hub asks it when to try again. */
  databaseAway(hub: HubName, kind: 'router' | 'network'): Promise<void>
  /** Call of a DirectoryHub: all present troubles of the directory, repeated until one call has succeeded. */
  directoryChanged(troubles: readonly DirectoryTrouble[]): Promise<void>
  /** Call of a NetworkHub: its health changed; null when the network is gone. */
  networkChanged(change: { hub: HubName; report: NetworkHealthReport | null }): Promise<void>
  /** Summaries of these networks, and transitions of the account's members. */
  health(question: HealthQuestion): Promise<HealthAnswer>
  /** Settings that devices do not support, by the router's hub. A device that supports all is missing. */
  missingSettings(routerHubs: readonly HubName[]): Promise<Readonly<Record<HubName, readonly string[]>>>
  /** Transitions of one member, newest first, at most `HEALTH.eventsShown`. */
  routerTransitions(routerHub: HubName): Promise<readonly StateMove[]>
  /** Paths of members by network and name. A network that has not pushed its paths is missing. */
  routerPaths(
    networks: readonly HubName[],
    routerNames: readonly string[],
  ): Promise<Readonly<Record<HubName, Readonly<Record<string, MemberPaths>>>>>
  /**
   * Reads the unread count, ended sessions and states of software members after a change. Updates consoles and networks,
   * and closes the sockets of ended sessions on every hub.
   */
  refresh(): Promise<void>
  /** Stores a text and answers what was stored, with the version of the Worker that runs the hub ('' in a local run). */
  selfTest(text: string): Promise<{ readonly stored: string | undefined; readonly release: string }>
  /** Deletes everything: the operator has decided that the account, whose row is missing, is gone. */
  remove(): Promise<void>
  /** Alerts, newest first. */
  alerts(question: AlertQuestion): Promise<AlertAnswer>
  /** Members that an alert explains; null if it is unknown or outside the role. */
  alertChildren(alertId: string, networks: readonly string[] | null): Promise<readonly AlertChildRow[] | null>
  /** Alert deliveries, newest first. */
  alertDeliveries(question: DeliveryQuestion): Promise<DeliveryAnswer>
  /** Addresses of contacts with the alerts that were not sent to them. */
  alertUnsent(networks: readonly string[] | null): Promise<readonly UnsentRow[]>
  /** Checks that an alert may be acknowledged, or a delivery sent again. */
  alertTask(task: AlertTask): Promise<AlertTaskState>
  /** Delivers committed entries of a write to many hubs. The cron delivers entries that a crash loses. */
  deliver(entries: readonly OutboxEntry[]): Promise<void>
  /** Call of hubs: a session watches the hub, which learns of its end. False: the session has just ended. */
  watching(entry: { sessionId: string; kind: HubKind; hub: HubName; on: boolean }): Promise<boolean>
  /** State of a session with these rights, for a read that a copy of the database answers. */
  sessionState(session: Pick<Session, 'id' | 'version'>): Promise<SessionState>
  /** Stores transitions of software members and opens the alerts of the past. Answers the acknowledged ones. Local runs only. */
  importHistory(history: {
    alerts: AlertHistory
    /** Names and networks of the devices, by hub. */
    routers: Readonly<Record<HubName, { readonly name: string; readonly seenIn: readonly string[] }>>
    clients: Readonly<Record<HubName, readonly StateMove[]>>
  }): Promise<readonly AcknowledgedAlert[]>
}

export interface AcknowledgedAlert {
  readonly alertId: string
  readonly by: string
  readonly at: number
}
