import { expect, it } from 'vitest'
import { offeredSettings } from '#infra/agent/drivers/linux/openvpn/offered-settings.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'

const AES = 'AES-256-CBC  (256 bit key, 128 bit block)\n'
const ALL: Readonly<Record<string, string>> = {
  '--show-ciphers': `${AES}SM4-CBC  (128 bit key, 128 bit block)\n`,
  '--show-digests': 'SM3 256 bit digest size\nSHA256 256 bit digest size\n',
}
const WITHOUT = DEVICE_SETTING_KEYS.filter((key) => key !== 'ciphers:sm')

it('a device whose OpenVPN has SM4-CBC and SM3 offers every setting', async () => {
  expect(await offeredSettings((option) => Promise.resolve(ALL[option] ?? ''))).toEqual(DEVICE_SETTING_KEYS)
})

it.each([
  ['--show-ciphers', `${AES}SM4-CFB  (128 bit key, 128 bit block, TLS client/server mode only)\n`],
  ['--show-digests', 'SHA256 256 bit digest size\n'],
])('without one of them it does not offer the Chinese ciphers: %s', async (option, text) => {
  const lacking = { ...ALL, [option]: text }
  expect(await offeredSettings((asked) => Promise.resolve(lacking[asked] ?? ''))).toEqual(WITHOUT)
})
