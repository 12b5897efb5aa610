import { type Violation, violation } from '#contract/kernel/result.ts'
import { CIPHERS_NAME, type Ciphers } from '#contract/network/networks.ts'
import type { DocumentLink, DocumentNetwork, RouterDocument } from '#contract/device/document.ts'
import { LINK_PREFERENCE } from '../members/links.ts'
import { labelOf } from '../members/member-name.ts'
import { SETTING_TITLE } from '../history/setting-words.ts'

/* Settings that not every device supports: their use in a document, missing ones, and their refusal. */

/** Document fields that decide which settings a device must support. */
type Source = Pick<RouterDocument, 'networks' | 'lans' | 'bandwidth_mbps'>

interface DeviceSetting {
  readonly name: string
  isUsed(document: Source): boolean
}

const inNetwork = (name: string, isUsed: (network: DocumentNetwork) => boolean): DeviceSetting => ({
  name,
  isUsed: ({ networks }) => networks.some(isUsed),
})
const onLink = (name: string, isUsed: (link: DocumentLink) => boolean): DeviceSetting =>
  inNetwork(name, ({ links }) => links.some(isUsed))

/** Such settings by the name of the capability in a device's hello. */
const DEVICE_SETTINGS = {
  'ciphers:sm': inNetwork(CIPHERS_NAME.sm, ({ ciphers }) => ciphers === 'sm'),
  'links:center': onLink(SETTING_TITLE.center_link, ({ kind }) => kind === 'center'),
  'links:point': onLink('点对点互联', ({ kind }) => kind === 'point'),
  'links:pop': inNetwork(
    'POP接入',
    ({ member_type: type, links }) => type === 'pop' || links.some(({ kind }) => kind === 'pop'),
  ),
  'routing:rows': inNetwork('网络号', ({ routing }) => routing.rows.length > 0),
  'routing:default': inNetwork('默认路由', ({ routing }) => routing.default.mode !== 'off'),
  'routing:connected': inNetwork('动态路由', ({ routing }) => routing.announce === 'connected'),
  'routing:main': onLink(
    '主备路由',
    ({ preference }) => preference === LINK_PREFERENCE.main || preference === LINK_PREFERENCE.secondary,
  ),
  'lans:via': { name: '静态路由', isUsed: ({ lans }) => lans.some(({ via }) => via !== null) },
  dns: inNetwork('DNS', ({ dns }) => dns.length > 0),
  bandwidth: { name: '带宽限速', isUsed: ({ bandwidth_mbps: rate }) => rate !== undefined },
} as const satisfies Readonly<Record<string, DeviceSetting>>

export type DeviceSettingKey = keyof typeof DEVICE_SETTINGS

export const DEVICE_SETTING_KEYS = Object.keys(DEVICE_SETTINGS) as readonly DeviceSettingKey[]

/** Stands beside such keys for a device whose protocol is older than the service speaks: it gets no document at all. */
export const OUTDATED = 'protocol'
export type UnsupportedKey = DeviceSettingKey | typeof OUTDATED
export const UNSUPPORTED_KEYS: readonly UnsupportedKey[] = [OUTDATED, ...DEVICE_SETTING_KEYS]

/** Settings beyond the base set that this document uses. */
export const usedSettings = (document: Source): readonly DeviceSettingKey[] =>
  DEVICE_SETTING_KEYS.filter((key) => DEVICE_SETTINGS[key].isUsed(document))

export const settingsOfCiphers = (ciphers: Ciphers): readonly DeviceSettingKey[] =>
  ciphers === 'sm' ? ['ciphers:sm'] : []

export const unsupportedSettings = (
  used: readonly DeviceSettingKey[],
  capabilities: readonly string[],
): readonly DeviceSettingKey[] => used.filter((key) => !capabilities.includes(key))

/** Sentence in the list 需要关注 (attention) and in the device's own refusal. */
export const unsupportedText = (keys: readonly UnsupportedKey[]): string => {
  const settings = keys.filter((key) => key !== OUTDATED)
  return settings.length < keys.length
    ? '需要升级：设备版本过旧，原有配置继续运行，升级前不再下发新配置'
    : `设备版本过旧，不支持${settings.map((key) => DEVICE_SETTINGS[key].name).join('、')}`
}

type Device = Parameters<typeof labelOf>[0]

const NAMED_MAX = 5

/** Names of the first few devices, and the number of all. */
export function devicesText(devices: readonly Device[]): string {
  const names = devices.slice(0, NAMED_MAX).map(labelOf)
  return `${names.join('、')}${devices.length > NAMED_MAX ? ` 等 ${devices.length} 台` : ''}`
}

/** Refuses a setting that some devices of a network do not support, because they would drop out of the network. */
export const checkDevices = (needs: readonly DeviceSettingKey[], devices: readonly Device[]): Violation | null =>
  devices.length === 0
    ? null
    : violation('DEVICE_UNSUPPORTED', { devices: devicesText(devices), reason: unsupportedText(needs) })
