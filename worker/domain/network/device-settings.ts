import { CIPHERS_NAME } from '../../contract/network.ts'
import type { RouterDocument } from '../../contract/protocol.ts'

interface DeviceSetting {
  /** As a person reads it. */
  readonly name: string
  isUsed(document: RouterDocument): boolean
}

/** Settings of a document that not every device carries, by the capability with which a hello names them. */
const DEVICE_SETTINGS = {
  'ciphers:sm': { name: CIPHERS_NAME.sm, isUsed: ({ networks }) => networks.some(({ ciphers }) => ciphers === 'sm') },
} as const satisfies Readonly<Record<string, DeviceSetting>>

export type DeviceSettingKey = keyof typeof DEVICE_SETTINGS

export const DEVICE_SETTING_KEYS = Object.keys(DEVICE_SETTINGS) as readonly DeviceSettingKey[]

/** Settings beyond the base set that this document uses. */
export const usedSettings = (document: RouterDocument): readonly DeviceSettingKey[] =>
  DEVICE_SETTING_KEYS.filter((key) => DEVICE_SETTINGS[key].isUsed(document))

/** Those of the settings that a device with these capabilities does not carry. */
export const unsupportedSettings = (
  used: readonly DeviceSettingKey[],
  capabilities: readonly string[],
): readonly DeviceSettingKey[] => used.filter((key) => !capabilities.includes(key))

/** The same sentence in 需要关注 and in the device's own refusal. */
export const unsupportedText = (settings: readonly DeviceSettingKey[]): string =>
  `设备版本过旧，不支持${settings.map((key) => DEVICE_SETTINGS[key].name).join('、')}`
