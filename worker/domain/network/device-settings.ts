import { type Violation, violation } from '../../contract/errors.ts'
import { CIPHERS_NAME, type Ciphers } from '../../contract/network.ts'
import type { RouterDocument } from '../../contract/protocol.ts'

/** What decides of a document, so that a choice can be asked before it is one. */
interface SettingSource {
  readonly networks: readonly Pick<RouterDocument['networks'][number], 'ciphers'>[]
}

interface DeviceSetting {
  /** As a person reads it. */
  readonly name: string
  isUsed(document: SettingSource): boolean
}

/** Settings of a document that not every device carries, by the capability with which a hello names them. */
const DEVICE_SETTINGS = {
  'ciphers:sm': { name: CIPHERS_NAME.sm, isUsed: ({ networks }) => networks.some(({ ciphers }) => ciphers === 'sm') },
} as const satisfies Readonly<Record<string, DeviceSetting>>

export type DeviceSettingKey = keyof typeof DEVICE_SETTINGS

export const DEVICE_SETTING_KEYS = Object.keys(DEVICE_SETTINGS) as readonly DeviceSettingKey[]

/** Settings beyond the base set that this document uses. */
export const usedSettings = (document: SettingSource): readonly DeviceSettingKey[] =>
  DEVICE_SETTING_KEYS.filter((key) => DEVICE_SETTINGS[key].isUsed(document))

export const settingsOfCiphers = (ciphers: Ciphers): readonly DeviceSettingKey[] =>
  usedSettings({ networks: [{ ciphers }] })

/** Those of the settings that a device with these capabilities does not carry. */
export const unsupportedSettings = (
  used: readonly DeviceSettingKey[],
  capabilities: readonly string[],
): readonly DeviceSettingKey[] => used.filter((key) => !capabilities.includes(key))

/** The same sentence in 需要关注 and in the device's own refusal. */
export const unsupportedText = (settings: readonly DeviceSettingKey[]): string =>
  `设备版本过旧，不支持${settings.map((key) => DEVICE_SETTINGS[key].name).join('、')}`

interface Device {
  readonly routerName: string
  /** Note, or empty. */
  readonly note: string
}

const NAMED_MAX = 5

/** The first few by name, and how many there are. */
export function devicesText(devices: readonly Device[]): string {
  const names = devices.slice(0, NAMED_MAX).map(({ routerName, note }) => note || routerName)
  return `${names.join('、')}${devices.length > NAMED_MAX ? ` 等 ${devices.length} 台` : ''}`
}

/** A setting that some devices of a network do not carry is refused, because they would drop out of it. */
export const checkDevices = (needs: readonly DeviceSettingKey[], devices: readonly Device[]): Violation | null =>
  devices.length === 0
    ? null
    : violation('DEVICE_UNSUPPORTED', { devices: devicesText(devices), reason: unsupportedText(needs) })
