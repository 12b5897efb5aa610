import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import type { Permission } from '#contract/kernel/permissions.ts'
import type { SettingEntry, SettingScope } from '#pages/network/settings/dialog-table.ts'
import type { NetworkInfo } from '#pages/network/live-network.ts'
import { networkRights } from '#pages/network/rights.ts'
import { toGroups } from '#pages/network/settings/setting-list.tsx'
import { poolText } from '#pages/network/settings/setting-text.ts'
import { createUser } from '#tests/web/lib/fixtures.ts'
import { member } from '../member.ts'
import { info } from '../open-network.tsx'

const row = (over: Partial<SettingEntry<SettingScope>>): SettingEntry<SettingScope> => ({
  key: 'x',
  title: '设置',
  group: '路由',
  right: 'set',
  value: () => '未设置',
  ...over,
})
const scope = (over: object = {}) => ({
  info: info(undefined, over).data as unknown as NetworkInfo,
  auth: createUser().auth,
})
const rights = (network_status: number, flags: readonly Permission[] = ['network:edit']) =>
  networkRights({ kind: 'ram', flags, networks: null }, { network_number: 'N1', network_status })
const one = (...given: Parameters<typeof toGroups<SettingScope>>) => toGroups(...given)[0]?.settings[0]

describe('settings of the network page', () => {
  it('stand by group, in the order of the groups; those that are not shown leave none behind', () => {
    const rows = [
      row({ key: 'a', group: '安全' }),
      row({ key: 'b', group: '地址' }),
      row({ key: 'c', group: '端口', shows: () => false }),
      row({ key: 'd', group: '地址', shows: ({ auth }) => auth.quagga === 0 }),
    ]
    const groups = toGroups(rows, scope(), rights(1), () => {})
    expect(groups.map(({ group, settings }) => [group, settings.map(({ key }) => key)])).toEqual([
      ['地址', ['b', 'd']],
      ['安全', ['a']],
    ])
  })

  it('open by their key', () => {
    const opened: string[] = []
    one([row({ key: 'dns' })], scope(), rights(1), (key) => opened.push(key))?.onEdit?.()
    expect(opened).toEqual(['dns'])
  })

  it('a role that may only look sees the value and no button', () => {
    expect(one([row({})], scope(), rights(1, []), () => {})).toMatchObject({ value: '未设置', onEdit: null })
  })

  it.each([
    ['is read only', row({}), ERRORS.NETWORK_SUSPENDED.msg],
    ['may be turned off where it is on', row({ isOn: () => true }), null],
    ['may not be turned on', row({ isOn: () => false }), ERRORS.NETWORK_SUSPENDED.msg],
  ])('in a suspended network a setting %s', (_, setting, expected) => {
    expect(one([setting], scope(), rights(0), () => {})?.blocked).toBe(expected)
  })

  it('says why it cannot be changed although the right is there', () => {
    expect(one([row({ blocked: () => '少一个中心点' })], scope(), rights(1), () => {})?.blocked).toBe('少一个中心点')
  })

  it.each([
    [0, '没有中心点'],
    [3, '3 个中心点，各有硬件和软件两个网段'],
  ])('the address pool of %i centres', (count, expected) => {
    const part = { gateway: '100.64.0.0', mask: 20 }
    const centers = Array.from({ length: count }, (_, i) => ({
      ...member(`c${i}`, { role: 'center' }),
      gateway: { router: part, software: part },
    }))
    expect(poolText({ member: [...centers, member('p1')] })).toBe(expected)
  })
})
