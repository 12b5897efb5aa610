import type { MemberSetting, MemberSettings, NetworkSettings } from '#contract/network/settings.ts'
import type { DocumentNetwork, DocumentLink } from '#contract/device/document.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { canonicalJson, compileOneNetwork } from '../compile/compile.ts'
import { reconnects, softwareReconnects } from '../compile/reconnects.ts'
import type { NetworkRows, PointLinkRow, PopNode, DocumentMember } from '../compile/rows.ts'
import { usedSettings } from '../compile/device-settings.ts'

/* A change of a network's settings: the new rows, router documents that change, and effects on links. */

export interface SettingValues {
  readonly ciphers?: NetworkRows['ciphers']
  readonly network?: Partial<NetworkSettings>
  readonly members?: { readonly [K in MemberSetting]?: readonly MemberValue<K>[] }
  readonly pointLinks?: readonly PointLinkRow[]
  /** All POP nodes of the network, if other ones shall carry it. */
  readonly popNodes?: readonly PopNode[]
  readonly mode?: number
  readonly hosts?: readonly MemberHost[]
}

/** Host number of a member in the segments of all centres. */
export interface MemberHost {
  readonly routerId: number
  readonly host: number
}

interface MemberValue<K extends MemberSetting> {
  readonly routerId: number
  readonly value: MemberSettings[K]
}

type Entries<T> = { [K in keyof T]-?: [K, Exclude<T[K], undefined>] }[keyof T][]

export const entriesOf = <T extends object>(of: T | undefined) => Object.entries(of ?? {}) as Entries<T>

/** Columns that documents depend on besides settings. The network's name is in no document. */
const DOCUMENT_COLUMNS = ['ciphers', 'mode', 'pointLinks', 'popNodes'] as const

/** Rows after the change; the same object if nothing changes. */
export function applySettings(rows: NetworkRows, values: SettingValues): NetworkRows {
  const { network = {}, members = {}, hosts = [] } = values
  const columns = Object.fromEntries(
    DOCUMENT_COLUMNS.filter((key) => values[key] !== undefined && values[key] !== rows[key]).map((key) => [
      key,
      values[key],
    ]),
  )
  if ([columns, network, members, hosts].every((part) => entriesOf(part).length === 0)) return rows
  const changed = new Map<number, Partial<MemberSettings>>()
  for (const [kind, ofMembers] of entriesOf(members)) {
    for (const { routerId, value } of ofMembers) changed.set(routerId, { ...changed.get(routerId), [kind]: value })
  }
  const moved = new Map(hosts.map(({ routerId, host }) => [routerId, host]))
  return {
    ...rows,
    ...columns,
    settings: { ...rows.settings, ...network },
    members: rows.members.map((m) => ({
      ...m,
      host: moved.get(m.routerId) ?? m.host,
      settings: { ...m.settings, ...changed.get(m.routerId) },
    })),
  }
}

/** Keeps only values that differ from the stored ones. */
export function differingSettings(
  { network, members }: SettingValues,
  stored: NetworkSettings,
  storedOf: (routerId: number) => MemberSettings,
): Pick<SettingValues, 'network' | 'members'> {
  const differs = (a: unknown, b: unknown) => canonicalJson(a) !== canonicalJson(b)
  const ofMembers = entriesOf(members).map(
    ([kind, rows]) => [kind, rows.filter(({ routerId, value }) => differs(value, storedOf(routerId)[kind]))] as const,
  )
  return {
    network: Object.fromEntries(entriesOf(network).filter(([kind, value]) => differs(value, stored[kind]))),
    members: Object.fromEntries(ofMembers.filter(([, rows]) => rows.length > 0)),
  }
}

/** Capabilities that each router's new document needs and its old one did not. */
export function addedNeeds(moved: readonly MovedDocument[]) {
  const used = (part: MovedDocument['after']) =>
    usedSettings({ networks: part ? [part] : [], lans: [], bandwidth_mbps: undefined })
  return moved.flatMap(({ routerId, before, after }) => {
    const had = used(before)
    const needs = used(after).filter((key) => !had.includes(key))
    return needs.length > 0 ? [{ routerId, needs }] : []
  })
}

/** One network's part of a router's document, before and after a change; null if it is neither member nor node. */
export interface MovedDocument {
  readonly routerId: number
  readonly before: DocumentNetwork | null
  readonly after: DocumentNetwork | null
}

/** Points compiled in one portion. They take some milliseconds, like one centre or node of a large network. */
const PORTION = 16

/**
 * Finds routers whose document a change of one network alters, by compiling it before and after: pushed and compiled
 * documents can never differ. Only hardware and POP nodes have documents. A caller may let other requests run between
 * portions.
 */
export function* movedDocuments(before: NetworkRows, after: NetworkRows): Generator<readonly MovedDocument[]> {
  if (before === after) return
  const [old, now] = [compilerOf(before), compilerOf(after)]
  const routerIds = [...new Set([...old.routerIds, ...now.routerIds])]
  const isLarge = (routerId: number) => old.isLarge(routerId) || now.isLarge(routerId)
  const findMoved = (routerId: number): MovedDocument[] => {
    const moved = { routerId, before: old.compile(routerId), after: now.compile(routerId) }
    return isSameJson(moved.before, moved.after) ? [] : [moved] // the compiler writes keys and rows in one order
  }
  for (const routerId of routerIds.filter(isLarge)) yield findMoved(routerId)
  const points = routerIds.filter((routerId) => !isLarge(routerId))
  for (let at = 0; at < points.length; at += PORTION) yield points.slice(at, at + PORTION).flatMap(findMoved)
}

/** Sorts centres first, so that servers are pushed before the points that dial them. */
export function centersFirst<T extends { readonly routerId: number }>(
  moved: readonly T[],
  members: readonly Pick<DocumentMember, 'routerId' | 'memberType'>[],
): readonly T[] {
  const centers = new Set(members.filter((m) => m.memberType === 'center').map((m) => m.routerId))
  return moved.toSorted((a, b) => Number(centers.has(b.routerId)) - Number(centers.has(a.routerId)))
}

function compilerOf(network: NetworkRows) {
  const centers = network.members.filter(isCenter)
  const peers = peersOf(network)
  const hardware = network.members.filter((m) => m.routerType === ROUTER_TYPE.hardware)
  const members = new Map(hardware.map((m) => [m.routerId, m]))
  const nodes = new Map((network.popNodes ?? []).map((node) => [node.routerId, node]))
  return {
    routerIds: [...members.keys(), ...nodes.keys()],
    /** True for a router whose document has a link to every member. */
    isLarge: (routerId: number) => nodes.has(routerId) || centers.some((center) => center.routerId === routerId),
    compile(routerId: number): DocumentNetwork | null {
      const node = nodes.get(routerId)
      if (node) return compileOneNetwork(node.routerName, network, noKey)
      const member = members.get(routerId)
      if (!member) return null
      const named = [...centers, ...(peers.get(routerId) ?? [])]
      return compileOneNetwork(member.routerName, toNamed(network, named, member), noKey)
    },
  }
}

/** Compiles a point's part from itself and its peers only, like its hub, so that the cost stays linear in the points. */
const toNamed = (network: NetworkRows, named: readonly DocumentMember[], self: DocumentMember): NetworkRows =>
  isCenter(self) ? network : { ...network, members: [...named, self] }

function peersOf({ members, pointLinks = [] }: NetworkRows): ReadonlyMap<number, readonly DocumentMember[]> {
  const byId = new Map(members.map((m) => [m.routerId, m]))
  const peers = new Map<number, DocumentMember[]>()
  for (const { serverId, clientId } of pointLinks) {
    for (const [own, other] of [[serverId, clientId] as const, [clientId, serverId] as const]) {
      const peer = byId.get(other)
      if (peer) peers.set(own, [...(peers.get(own) ?? []), peer])
    }
  }
  return peers
}

const isCenter = (member: DocumentMember): boolean => member.memberType === 'center'

/** Placeholder. Keys derive from the network's secret, which no setting changes. */
const noKey = () => '0'.repeat(32)

export type LinkEffect = 'reconnects' | 'opens' | 'closes'

interface MovedLink {
  readonly id: string
  readonly client: string
  readonly server: string
  readonly effect: LinkEffect
}

/** Links that a change opens, closes or reconnects, each once. @param nameOf the router of a document. */
export function linkImpact(
  moved: readonly MovedDocument[],
  nameOf: (routerId: number) => string,
): readonly MovedLink[] {
  const found = new Map<string, MovedLink>()
  for (const { routerId, before, after } of moved) {
    const [old, now] = [byId(before), byId(after)]
    for (const id of new Set([...old.keys(), ...now.keys()])) {
      const [was, is] = [old.get(id), now.get(id)]
      const link = is ?? was
      const effect = effectOf(before, after, was, is)
      if (!link || !effect || found.has(id)) continue
      const [own, isClient] = [nameOf(routerId), link.role === 'client']
      found.set(id, { id, client: isClient ? own : link.peer, server: isClient ? link.peer : own, effect })
    }
  }
  return [...found.values()]
}

const byId = (network: DocumentNetwork | null): ReadonlyMap<string, DocumentLink> =>
  new Map(network?.links.map((link) => [link.id, link]))

function effectOf(
  before: DocumentNetwork | null,
  after: DocumentNetwork | null,
  was: DocumentLink | undefined,
  is: DocumentLink | undefined,
): LinkEffect | null {
  if (!before || !after || !was || !is) return is ? 'opens' : 'closes'
  return reconnects({ network: before }, was, { network: after }, is) ? 'reconnects' : null
}

/** Routers whose software members connect anew. @returns their ids. */
export const restartedServices = (moved: readonly MovedDocument[]): readonly number[] =>
  moved
    .filter(
      ({ before, after }) =>
        before !== null &&
        after !== null &&
        after.servers.some(({ accounts }) => accounts.length > 0) &&
        softwareReconnects({ network: before }, { network: after }),
    )
    .map(({ routerId }) => routerId)
