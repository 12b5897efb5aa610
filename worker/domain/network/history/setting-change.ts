import type { MemberSetting, MemberSettings, NetworkSettings } from '#contract/network/settings.ts'
import { canonicalJson } from '../compile/compile.ts'
import type { NetworkRows, PointLinkRow, PopNode } from '../compile/rows.ts'
import { type DeviceSettingKey, usedSettings } from '../compile/device-settings.ts'
import type { MovedDocument } from './impact.ts'

/** New values of one network's settings. */
export interface SettingValues {
  readonly ciphers?: NetworkRows['ciphers']
  readonly network?: Partial<NetworkSettings>
  readonly members?: { readonly [K in MemberSetting]?: readonly MemberValue<K>[] }
  /** All of the network. */
  readonly pointLinks?: readonly PointLinkRow[]
  /** All of the network: other nodes carry it. */
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

/** The rows as they will be; the same object where nothing changes. */
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

/** Only what differs from the stored values. */
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
export function addedNeeds(
  moved: readonly MovedDocument[],
): readonly { readonly routerId: number; readonly needs: readonly DeviceSettingKey[] }[] {
  const used = (part: MovedDocument['after']) =>
    usedSettings({ networks: part ? [part] : [], lans: [], bandwidth_mbps: undefined })
  return moved.flatMap(({ routerId, before, after }) => {
    const had = used(before)
    const needs = used(after).filter((key) => !had.includes(key))
    return needs.length > 0 ? [{ routerId, needs }] : []
  })
}
