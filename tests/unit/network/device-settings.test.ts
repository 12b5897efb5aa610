import { describe, expect, it } from 'vitest'
import { toMessage } from '../../../worker/contract/errors.ts'
import type { RouterDocument } from '../../../worker/contract/protocol.ts'
import {
  DEVICE_SETTING_KEYS,
  checkDevices,
  devicesText,
  settingsOfCiphers,
  unsupportedSettings,
  unsupportedText,
  usedSettings,
} from '../../../worker/domain/network/device-settings.ts'

const network = (over: Partial<RouterDocument['networks'][number]> = {}): RouterDocument['networks'][number] => ({
  network_number: 'N1',
  member_type: 'point',
  ciphers: 'default',
  addresses: [],
  software_segment: null,
  members: [],
  links: [],
  ...over,
})
const used = (...networks: RouterDocument['networks']) => usedSettings({ networks })

describe('settings of a document beyond the base set', () => {
  it.each<[string, RouterDocument['networks'], readonly string[]]>([
    ['the empty document', [], []],
    ['default ciphers', [network()], []],
    ['国密 in one of its networks', [network(), network({ ciphers: 'sm' })], ['ciphers:sm']],
  ])('%s', (_, networks, expected) => expect(used(...networks)).toEqual(expected))

  it.each<[readonly string[], readonly string[]]>([
    [[], ['ciphers:sm']],
    [['report', 'driver:files'], ['ciphers:sm']],
    [['report', 'ciphers:sm', 'of a newer release'], []],
  ])('a device with %j lacks %j', (capabilities, expected) => {
    expect(unsupportedSettings(DEVICE_SETTING_KEYS, capabilities)).toEqual(expected)
    expect(unsupportedSettings([], capabilities)).toEqual([])
  })

  it('have keys that fit into a hello', () => {
    for (const key of DEVICE_SETTING_KEYS) expect(key.length).toBeLessThanOrEqual(32)
  })

  it('are refused with the names of the first devices', () => {
    const device = (n: number) => ({ routerName: `r${n}`, note: n === 1 ? '北京' : '' })
    const devices = [1, 2, 3, 4, 5, 6].map(device)
    expect(checkDevices(['ciphers:sm'], [])).toBeNull()
    expect(devicesText(devices.slice(0, 5))).toBe('北京、r2、r3、r4、r5')
    expect(toMessage(checkDevices(settingsOfCiphers('sm'), devices)!)).toBe(
      '设备不支持此操作：北京、r2、r3、r4、r5 等 6 台。设备版本过旧，不支持国密（SM4），请升级或移出后重试',
    )
    expect(settingsOfCiphers('default')).toEqual([])
  })

  it('are named as the console names them', () => {
    expect(unsupportedText(['ciphers:sm'])).toBe('设备版本过旧，不支持国密（SM4）')
  })
})
