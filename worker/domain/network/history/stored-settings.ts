import {
  MEMBER_SETTINGS,
  NETWORK_SETTINGS,
  type MemberSetting,
  type MemberSettings,
  type NetworkSetting,
  type NetworkSettings,
} from '#contract/network/settings.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'

/* Reads stored settings of networks and members: parsed values with defaults, and their revisions. */

/** A row of network_settings or member_settings. */
export interface SettingRow {
  readonly setting: string
  /** JSON. */
  readonly value: string
  readonly revision: number
}

/** Values of all settings, defaults for those without a row, and how often each was edited. */
export interface StoredSettings<V> {
  readonly values: V
  readonly revisions: Readonly<Record<keyof V, number>>
}

type Schemas = Readonly<Record<string, { parse(value: unknown): unknown }>>

/** Throws if a row violates its schema, because no device may get such a value. */
function read<V>(schemas: Schemas, rows: readonly SettingRow[]): StoredSettings<V> {
  const bySetting = new Map(rows.map((row) => [row.setting, row]))
  const kinds = Object.entries(schemas)
  const toValue = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))
  return {
    values: Object.fromEntries(kinds.map(([kind, s]) => [kind, s.parse(toValue(bySetting.get(kind)?.value))])) as V,
    revisions: Object.fromEntries(
      kinds.map(([kind]) => [kind, bySetting.get(kind)?.revision ?? 0]),
    ) as StoredSettings<V>['revisions'],
  }
}

export const readNetworkSettings = (rows: readonly SettingRow[]): StoredSettings<NetworkSettings> =>
  rows.length === 0 ? NO_NETWORK_SETTINGS : read(NETWORK_SETTINGS, rows)

export const readMemberSettings = (rows: readonly SettingRow[]): StoredSettings<MemberSettings> =>
  rows.length === 0 ? NO_MEMBER_SETTINGS : read(MEMBER_SETTINGS, rows)

/** Parsed once: most members of a large network have no row. */
const NO_NETWORK_SETTINGS = read<NetworkSettings>(NETWORK_SETTINGS, [])
const NO_MEMBER_SETTINGS = read<MemberSettings>(MEMBER_SETTINGS, [])

export const DEFAULT_NETWORK_SETTINGS: NetworkSettings = NO_NETWORK_SETTINGS.values
export const DEFAULT_MEMBER_SETTINGS: MemberSettings = NO_MEMBER_SETTINGS.values

/** Refuses the second of two concurrent edits of a setting. A call without a revision passes. */
export const checkRevision = (sent: number | undefined, current: number): Violation | null =>
  sent === undefined || sent === current ? null : violation('SETTING_CHANGED')

/** Normalizes a value before it is stored. */
export const parseNetworkSetting = <K extends NetworkSetting>(kind: K, value: unknown): NetworkSettings[K] =>
  NETWORK_SETTINGS[kind].parse(value) as NetworkSettings[K]
export const parseMemberSetting = <K extends MemberSetting>(kind: K, value: unknown): MemberSettings[K] =>
  MEMBER_SETTINGS[kind].parse(value) as MemberSettings[K]
