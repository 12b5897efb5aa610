import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PERMISSIONS, type Permission } from '#contract/kernel/permissions.ts'
import { addStates, NOTHING_PUSHED, withStates, toMemberState, toRouterType } from '#pages/router/member-states.ts'
import { memberRights } from '#pages/router/rights.ts'
import { clientText, addressText, sortInterfaces, silenceText } from '#pages/router/router-text.ts'
import { configVersionText } from '#lib/format/config-version.ts'
import { caretAfter, formatActivationCode, isWholeActivationCode } from '#ui/form/inputs/activation-field.tsx'
import { createMember, createInterface, states } from './fixtures.ts'

describe('activation code', () => {
  it.each([
    ['', ''],
    ['abcd', 'ABCD'],
    ['abcde', 'ABCD-E'],
    ['abcd-', 'ABCD'],
    ['abcdefgh2345', 'ABCD-EFGH-2345'],
    [' ABCD EFGH–2345\n', 'ABCD-EFGH-2345'],
    ['ａｂｃｄ－ｅｆｇｈ－２３４５', 'ABCD-EFGH-2345'],
    ['激活码：abcd', 'ABCD'],
    ['ABCD-EFGH-2345-EXTRA', 'ABCD-EFGH-2345-EXTR-A'],
  ])('%j reads %s', (typed, shown) => expect(formatActivationCode(typed)).toBe(shown))

  it('is whole with twelve signs, however they are written', () => {
    expect(isWholeActivationCode('abcd efgh 2345')).toBe(true)
    expect(isWholeActivationCode('ABCD-EFGH-234')).toBe(false)
    expect(isWholeActivationCode('ABCD-EFGH-2345-EXTRA')).toBe(false)
  })

  it('a formatted text stays as it is, and the caret stays behind the same signs', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (typed, cut) => {
        const shown = formatActivationCode(typed)
        expect(formatActivationCode(shown)).toBe(shown)
        const before = typed.slice(0, cut % (typed.length + 1))
        expect(formatActivationCode(shown.slice(0, caretAfter(before)))).toBe(formatActivationCode(before))
      }),
    )
  })
})

describe('state filter', () => {
  it.each([
    ['online', 1, 'online'],
    ['attention', 1, 'attention'],
    ['attention', 2, ''],
    ['single_center', 1, 'single_center'],
    ['single_center', 2, ''],
    ['config', 1, 'config'],
    ['nonsense', 1, ''],
  ] as const)('%s of kind %i asks for %j', (text, type, state) => expect(toMemberState(text, type)).toBe(state))

  it.each([
    [null, 1],
    ['1', 1],
    ['2', 2],
    ['3', 1],
  ] as const)('type %s is %i', (text, type) => expect(toRouterType(text)).toBe(type))
})

describe('pushed states', () => {
  const rows = [createMember('A'), createMember('B')]

  it('the newest push wins, and other rows keep their identity', () => {
    const first = addStates(NOTHING_PUSHED, [{ router_name: 'A', ...states({ state: 'reconnecting' }) }])
    const pushed = addStates(first, [{ router_name: 'A', ...states({ state: 'offline', config: 'queued' }) }])
    const [a, b] = withStates(rows, pushed)
    expect([a?.presence.state, a?.config.state, a?.note]).toEqual(['offline', 'queued', ''])
    expect(b).toEqual(rows[1])
    expect(NOTHING_PUSHED.size).toBe(0)
  })

  it('a push for a member on another page changes nothing', () => {
    expect(withStates(rows, addStates(NOTHING_PUSHED, [{ router_name: 'Z', ...states() }]))).toBe(rows)
  })
})

describe('rights', () => {
  const ram = (...flags: Permission[]) => memberRights({ kind: 'ram', flags, networks: null })
  const none = {
    add: false,
    addsIntoNetwork: false,
    edit: false,
    delete: false,
    editNetworks: false,
    editSign: false,
    seeLogins: false,
    seeDirectory: false,
  }
  it.each([
    ['router:create', 'add'],
    ['router:edit', 'edit'],
    ['router:delete', 'delete'],
    ['network:edit', 'editNetworks'],
  ] as const)('%s lets a sub-account %s and nothing else', (flag, right) =>
    expect(ram(flag)).toEqual({ ...none, [right]: true }),
  )
  it('a role limited to networks adds into one of them, if it holds the flag', () => {
    const limited = (...flags: Permission[]) => memberRights({ kind: 'ram', flags, networks: ['N1'] })
    expect(limited('router:create')).toMatchObject({ add: true, addsIntoNetwork: true })
    expect(limited('router:edit')).toMatchObject({ add: false })
  })
  it('the suffix is the main account’s alone', () => {
    expect(ram(...PERMISSIONS).editSign).toBe(false)
    expect(memberRights({ kind: 'main', flags: [], networks: null })).toEqual({
      add: true,
      addsIntoNetwork: false,
      edit: true,
      delete: true,
      editNetworks: true,
      editSign: true,
      seeLogins: true,
      seeDirectory: true,
    })
  })
})

describe('texts', () => {
  it('an address is shown with the length of its prefix', () => {
    expect(addressText({ ip: '10.65.0.1', mask: 24 })).toBe('10.65.0.1/24')
    expect(addressText({ ip: '', mask: 24 })).toBe('')
  })

  it.each([
    ['applied', 3, 'v3'],
    ['queued', null, '目标 v3 · 设备尚未取得'],
    ['failed', 2, '目标 v3 · 设备上为 v2'],
    ['none', null, ''],
  ] as const)('configuration %s with version %s on the device: %s', (state, applied_version, text) =>
    expect(configVersionText({ state, version: 3, applied_version, reason: '', at: null })).toBe(text),
  )

  it.each([
    ['online', null],
    ['flapping', null],
    ['unreadable', '控制台暂时读不到该设备的状态'],
    ['reconnecting', '设备重连中'],
    ['offline', '离线自 1970-01-01 08:00:02'],
    ['never', '设备从未上线'],
    ['disabled', '设备已停用'],
  ] as const)('a chart of a device that is %s says %s', (state, text) =>
    expect(silenceText(states({ state }).presence)).toBe(text),
  )

  it('sorts interfaces: WAN first, down last', () => {
    const listed = [
      createInterface('eth1', { role: 'wan', up: false }),
      createInterface('tun0', { role: 'tunnel' }),
      createInterface('br'),
      createInterface('eth0', { role: 'wan' }),
    ]
    expect(sortInterfaces(listed).map((entry) => entry.interface)).toEqual(['eth0', 'br', 'tun0', 'eth1'])
  })

  it.each([
    ['harmonyos', '1.2', 'HarmonyOS 1.2'],
    ['', '', '—'],
    ['newos', '', 'newos'],
  ])('client %j %j reads %s', (os, version, text) => expect(clientText({ os, version })).toBe(text))
})
