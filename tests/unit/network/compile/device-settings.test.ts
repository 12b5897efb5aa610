import { describe, expect, it } from 'vitest'
import { toMessage } from '#contract/kernel/errors.ts'
import { type SentDocument, routerDocument } from '#contract/device/document.ts'
import {
  DEVICE_SETTING_KEYS,
  checkDevices,
  devicesText,
  settingsOfCiphers,
  unsupportedSettings,
  unsupportedText,
  usedSettings,
} from '#domain/network/compile/device-settings.ts'

const OFF = { mode: 'off' as const, metric: null }
const network = (over: Partial<SentDocument['networks'][number]> = {}): SentDocument['networks'][number] => ({
  network_number: 'N1',
  member_type: 'point',
  ciphers: 'default',
  addresses: [],
  software_segment: null,
  members: [],
  links: [],
  ...over,
})
const link = (over: object): SentDocument['networks'][number]['links'][number] => ({
  id: 'N1:a>b',
  peer: 'b',
  role: 'client',
  endpoint: null,
  key: 'ab'.repeat(16),
  ...over,
})
const routing = { paths: 1, announce: 'declared' as const, rows: [], system: [], default: OFF }
const used = (...networks: SentDocument['networks']) =>
  usedSettings(routerDocument.parse({ router_name: 'r', networks }))

describe('design 8 · settings of a document beyond the base set', () => {
  it.each<[string, SentDocument['networks'], readonly string[]]>([
    ['the empty document', [], []],
    ['default ciphers', [network()], []],
    ['国密 in one of its networks', [network(), network({ ciphers: 'sm' })], ['ciphers:sm']],
    ['a link between centres', [network({ links: [link({ kind: 'center' })] })], ['links:center']],
    ['a link between two points', [network({ links: [link({ kind: 'point' })] })], ['links:point']],
    ['a link to a POP node', [network({ links: [link({ kind: 'pop' })] })], ['links:pop']],
    [
      'prefix rows',
      [network({ routing: { ...routing, rows: [{ permit: true, prefix: '10.0.0.0/8', ge: null, le: 32 }] } })],
      ['routing:rows'],
    ],
    [
      'a default route',
      [network({ routing: { ...routing, default: { mode: 'receive', metric: null } } })],
      ['routing:default'],
    ],
    ['dynamic routes', [network({ routing: { ...routing, announce: 'connected' } })], ['routing:connected']],
    ['a main router', [network({ links: [link({ preference: 45 })] })], ['routing:main']],
    ['DNS', [network({ dns: ['10.0.0.53'] })], ['dns']],
  ])('%s', (_, networks, expected) => expect(used(...networks)).toEqual(expected))

  it.each<[readonly string[], readonly string[]]>([
    [[], ['ciphers:sm']],
    [['report', 'driver:files'], ['ciphers:sm']],
    [['report', 'ciphers:sm', 'of a newer release'], []],
  ])('a device with %j lacks %j', (capabilities, expected) => {
    expect(unsupportedSettings(['ciphers:sm'], capabilities)).toEqual(expected)
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
    expect(unsupportedText(['protocol', 'ciphers:sm'])).toMatch(/^需要升级：/)
  })
})
