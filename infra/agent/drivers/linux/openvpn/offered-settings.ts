import { DEVICE_SETTING_KEYS, type DeviceSettingKey } from '#domain/network/compile/device-settings.ts'
import { outputOf } from '../programs.ts'

/* Settings that the OpenVPN of this device can follow: its library decides on the ciphers. */

const CIPHER = /^SM4-CBC\s/m
const DIGEST = /^SM3\s/m

/** @param ask runs OpenVPN with an option, for its output. */
export async function offeredSettings(
  ask = (option: string) => outputOf('openvpn', [option]).catch(() => ''), // `down` works without OpenVPN
): Promise<readonly DeviceSettingKey[]> {
  const [ciphers, digests] = await Promise.all([ask('--show-ciphers'), ask('--show-digests')])
  const hasChinese = CIPHER.test(ciphers) && DIGEST.test(digests)
  return DEVICE_SETTING_KEYS.filter((key) => key !== 'ciphers:sm' || hasChinese)
}
