import type { HubName } from '#contract/kernel/hubs.ts'
import type { InterfaceInfo, LinkReport } from '#contract/kernel/protocol.ts'
import type { SentDocument } from '#contract/device/document.ts'
import type { DeviceSettingKey } from '#domain/network/compile/device-settings.ts'
import { type KvStorage, Throttle } from '#durable/async.ts'
import { type ConfigPush, noDocument } from './config-push.ts'
import type { RefusedRequest } from '#domain/router/certificate.ts'
import type { SeenAddresses } from '#domain/router/endpoints.ts'
import type { Command } from './commands.ts'
import { type LinkLog, noLinkLog } from './link-log.ts'
import { type Outbox, emptyOutbox } from './outbox.ts'
import { type Presence, type ReconnectLimit, noReconnects, unseen } from './presence.ts'

/* Storage of the router hub: the slices of its state, and the document in parts. */

/** State that a router hub persists, each slice under its own key. */
export interface RouterState {
  readonly router: RouterFacts | null
  readonly device: DeviceFacts | null
  readonly presence: Presence
  readonly reconnects: ReconnectLimit
  readonly config: ConfigPush
  /** Commands for the device, in the order they were requested. */
  readonly commands: readonly Command[]
  readonly links: Readonly<Record<string, Omit<LinkReport, 'id'>>>
  readonly linkLog: LinkLog
  readonly outbox: Outbox
}

/** The router's rows as of the last refresh. */
export interface RouterFacts {
  readonly accountId: number
  readonly accountHub: HubName
  /** Id of the device; null for a software member. */
  readonly deviceId: number | null
  /** Fingerprint of the device's pinned key; null until one is pinned. */
  readonly keyFingerprint: string | null
  readonly routerName: string
  readonly networks: readonly {
    readonly hub: HubName
    readonly number: string
    /** Account of the network of a customer on a node. Absent: that of the router. */
    readonly accountId?: number
    /** Revision that its document is compiled from; only of a centre with tunnels, for its points. */
    readonly revision?: number
  }[]
  /** Numbers of the networks by which a limited role sees it: its own, or the one it left last. */
  readonly seenIn: readonly string[]
  /** Settings beyond the base set that its document uses. */
  readonly settings: readonly DeviceSettingKey[]
  /** A SaaS device: its presences are recorded with their volumes. */
  readonly isSaas: boolean
  /** Time at which another bandwidth comes into force and the rows are compiled again; null: it stays. */
  readonly changesAt: number | null
  /**
   * Generation of the return tickets that count: the time of its first one. Absent: there is none yet; null: by the rows the
   * device may not connect. An earlier release drops it with each read, so it outlives no reset.
   */
  readonly generation?: number | null
  /** Its document dials members by name, or leaves the names out for a device that looks up none. Absent: there are no names. */
  readonly names?: 'sent' | 'left_out'
  /** Refused request for a certificate. Absent: of an earlier release. */
  readonly refusal?: RefusedRequest | null
}

/** Facts that the device reported about itself in its last hello. */
export interface DeviceFacts {
  readonly remoteHost: string
  readonly remotePort: number
  readonly probePort: number
  readonly version: string
  readonly mac: string
  readonly interfaces: readonly InterfaceInfo[]
  /** Capabilities of the device; null until its first hello to this release. */
  readonly capabilities: readonly string[] | null
  /** Version of the protocol that it speaks; absent: of an earlier release. */
  readonly protocol?: number
  /** Request for a certificate, as reported; absent: of an earlier release, or none. */
  readonly csr?: string | null
  /** Addresses and names of its command line at which other members dial it. Absent: none. */
  readonly endpoints?: readonly string[]
  /** Addresses that its connections came from. Absent: none to this release yet. */
  readonly seen?: SeenAddresses
}

export const blankRouter: RouterState = {
  router: null,
  device: null,
  presence: unseen,
  reconnects: noReconnects,
  config: noDocument,
  commands: [],
  links: {},
  linkLog: noLinkLog,
  outbox: emptyOutbox,
}

export const unknownRouter: RouterFacts = {
  accountId: 0,
  accountHub: '',
  deviceId: null,
  keyFingerprint: null,
  routerName: '',
  networks: [],
  seenIn: [],
  settings: [],
  isSaas: false,
  changesAt: null,
}

export const unknownDevice: DeviceFacts = {
  remoteHost: '',
  remotePort: 0,
  probePort: 0,
  version: '',
  mac: '',
  interfaces: [],
  capabilities: null,
}

const SLICES = Object.keys(blankRouter) as readonly (keyof RouterState)[]

/** Commands are stored as hubs of the first release did. */
const keyOf = (slice: keyof RouterState): string => (slice === 'commands' ? 'jobs' : slice)

/** Fields that a slice stored by an older release may lack. */
const DEFAULTS: Readonly<Record<keyof RouterState, unknown>> = {
  ...blankRouter,
  router: unknownRouter,
  device: unknownDevice,
}

/** Loads each slice under its own key; a new slice or a new field of one needs no migration. */
export function loadState({ kv }: KvStorage): RouterState {
  const stored = SLICES.map((slice) => [slice, withDefaults(DEFAULTS[slice], kv.get(keyOf(slice)))] as const)
  const state = { ...blankRouter, ...Object.fromEntries(stored.filter(([, value]) => value !== undefined)) }
  return { ...state, links: loadLinks(kv, state.links), outbox: loadOutbox(kv, state.outbox) }
}

type Links = RouterState['links']

/** A stored value holds 2 MB; the ids of 16,000 links alone may be more. */
const LINKS_PER_PART = 4_000
const linksKey = (part: number): string => (part === 0 ? keyOf('links') : `links:${part}`)
const countParts = (links: Links): number => Math.max(1, Math.ceil(Object.keys(links).length / LINKS_PER_PART))

function loadLinks(kv: KvStorage['kv'], first: Links): Links {
  const links = { ...first }
  for (let part = 1; ; part++) {
    const more = kv.get<Links>(linksKey(part))
    if (more === undefined) return links
    Object.assign(links, more)
  }
}

function saveLinks(kv: KvStorage['kv'], before: Links, after: Links): void {
  const entries = Object.entries(after)
  const parts = countParts(after)
  for (let part = 0; part < parts; part++)
    kv.put(linksKey(part), Object.fromEntries(entries.slice(part * LINKS_PER_PART, (part + 1) * LINKS_PER_PART)))
  for (let part = parts; part < countParts(before); part++) kv.delete(linksKey(part))
}

const dataKey = (id: string): string => `result:${id}`

const dataOf = ({ results = [] }: Outbox): ReadonlyMap<string, string> =>
  new Map(results.flatMap(({ id, data }) => (data === undefined ? [] : [[id, data] as const])))

function loadOutbox(kv: KvStorage['kv'], outbox: Outbox): Outbox {
  if (!outbox.results?.length) return outbox
  const results = outbox.results.map((result) => {
    const data = kv.get<string>(dataKey(result.id))
    return data === undefined ? result : { ...result, data }
  })
  return { ...outbox, results }
}

/** Stores the data of each result once, under a key of its own: the outbox is written with each change. */
function saveOutbox(kv: KvStorage['kv'], before: Outbox, after: Outbox): void {
  const [known, wanted] = [dataOf(before), dataOf(after)]
  for (const [id, data] of wanted) if (known.get(id) !== data) kv.put(dataKey(id), data)
  for (const id of known.keys()) if (!wanted.has(id)) kv.delete(dataKey(id))
  const results = after.results?.map(({ id, state, reason }) => ({ id, state, reason }))
  kv.put(keyOf('outbox'), wanted.size === 0 ? after : { ...after, results })
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withDefaults = (defaults: unknown, stored: unknown): unknown =>
  isRecord(defaults) && isRecord(stored) ? { ...defaults, ...stored } : stored

export function saveState({ kv }: KvStorage, before: RouterState, after: RouterState): void {
  for (const slice of SLICES)
    if (slice !== 'links' && slice !== 'outbox' && before[slice] !== after[slice]) kv.put(keyOf(slice), after[slice])
  if (before.links !== after.links) saveLinks(kv, before.links, after.links)
  if (before.outbox !== after.outbox) saveOutbox(kv, before.outbox, after.outbox)
}

const SAVE_MS = 1_000

/** Saves the state at once, or at most once a second if a device may change it with each frame. */
export class StateSaves {
  /** State as it is on disk. */
  private saved: RouterState
  private readonly storage: KvStorage
  private readonly state: () => RouterState
  private readonly throttle = new Throttle(() => this.now(), SAVE_MS)

  constructor(storage: KvStorage, state: () => RouterState) {
    this.storage = storage
    this.state = state
    this.saved = state()
  }

  now(): void {
    saveState(this.storage, this.saved, this.state())
    this.saved = this.state()
  }

  /** A frame without a change sets no timer, which would keep the hub awake. */
  soon(): void {
    if (SLICES.some((slice) => this.saved[slice] !== this.state()[slice])) this.throttle.trigger()
  }

  /** Takes the present state as saved, after the storage was emptied. */
  reset(): void {
    this.saved = this.state()
  }
}

/** A stored value holds 2 MB, and a centre of eight networks with 2,000 members each has a document of some 8 MB. */
const PART_CHARS = 500_000

const partKey = (i: number): string => `document:${i}`

/** The desired document, in a key of its own: it is large and rarely changes. */
export function saveDocument({ kv }: KvStorage, body: SentDocument): void {
  const text = JSON.stringify(body)
  const parts = Math.ceil(text.length / PART_CHARS)
  for (let i = 0; i < parts; i++) kv.put(partKey(i), text.slice(i * PART_CHARS, (i + 1) * PART_CHARS))
  for (let i = parts; i < documentParts(kv); i++) kv.delete(partKey(i))
  kv.put('parts', parts)
}

export function loadDocument({ kv }: KvStorage): SentDocument | null {
  const parts = Array.from({ length: documentParts(kv) }, (_, i) => kv.get<string>(partKey(i)) ?? '')
  return parts.length === 0 ? null : (JSON.parse(parts.join('')) as SentDocument)
}

export const hasDocument = ({ kv }: KvStorage): boolean => documentParts(kv) > 0

const documentParts = (kv: KvStorage['kv']): number => kv.get<number>('parts') ?? 0

/** Newest return ticket of the device, for its welcomes: the hub may be evicted between a connection and its hello. */
interface StoredTicket {
  readonly text: string
  readonly issuedAt: number
}

const TICKET_KEY = 'ticket'

export const loadTicket = ({ kv }: KvStorage): StoredTicket | undefined => kv.get<StoredTicket>(TICKET_KEY)

export const saveTicket = ({ kv }: KvStorage, ticket: StoredTicket): void => kv.put(TICKET_KEY, ticket)

export const linkIdsOf = (document: SentDocument | null): ReadonlySet<string> =>
  new Set(document?.networks.flatMap((network) => network.links.map(({ id }) => id)))
