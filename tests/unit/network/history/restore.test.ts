import { describe, expect, it } from 'vitest'
import { isEmptyPlan, planRestore } from '#domain/network/history/history.ts'
import type { ShownSetting } from '#domain/network/history/setting-words.ts'
import { DEFAULT_MEMBER_SETTINGS, DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'

const members = [
  { routerId: 1, uid: 'k1', routerType: 1, memberType: 'center', createdAt: 1 },
  { routerId: 2, uid: 'k2', routerType: 1, memberType: 'center', createdAt: 1 },
  { routerId: 3, uid: 'k3', routerType: 1, memberType: 'point', createdAt: 5 },
  { routerId: 4, uid: 'k4', routerType: 2, memberType: 'point', createdAt: 1 },
] as const
const own: Readonly<Record<string, unknown>> = {
  ...DEFAULT_NETWORK_SETTINGS,
  ...DEFAULT_MEMBER_SETTINGS,
  name: '总部',
  ciphers: 'default',
  fr: { mode: 1, frId: 9 },
  point_links: [],
}
const present = { networkType: 1, frId: 9, members, areas: [{ id: 5 }], valueOf: (kind: ShownSetting) => own[kind] }
const plan = (setting: ShownSetting, value: unknown, routerId: number | null = null, at = 9) =>
  planRestore([{ setting, routerId, value, at }], present)
const link = (serverId: number, clientId: number) => ({
  serverId,
  clientId,
  gateway: '172.31.0.0',
  mask: 30,
  staticPort: null,
  port: 5000,
})
const twin = {
  enable: 1,
  server: 1,
  gateway: '172.31.255.0',
  mask: 30,
  ports: DEFAULT_NETWORK_SETTINGS.center_link.ports,
}

describe('a restore', () => {
  it('sets what differs, and nothing else', () => {
    expect(plan('dns', ['10.0.0.1']).network).toEqual({ dns: ['10.0.0.1'] })
    expect(plan('name', '分部').columns).toEqual({ name: '分部' })
    expect(plan('quagga', { enable: 1 }, 3).members).toEqual({ quagga: [{ routerId: 3, value: { enable: 1 } }] })
    expect(isEmptyPlan(plan('dns', []))).toBe(true)
    expect(isEmptyPlan(plan('name', '总部'))).toBe(true)
  })

  it.each([
    ['quagga', { enable: 1 }, 99, '动态路由：成员已不在组网'],
    ['gateway', { router: { gateway: '10.8.0.0', mask: 24 }, software: null }, 3, '网段：成员的角色已改变'],
    ['software_mode', { mode: 2 }, 3, '拨号方式：成员的角色已改变'],
    ['ov', { main: 6, backup: null, priority: 1 }, 3, 'POP区域：区域已不存在'],
    ['routing', { type: 2, main: 1, secondary: 3 }, null, '路由方式：主路由或备路由已不是该组网的中心点'],
    ['center_link', { ...twin, server: 3 }, null, '双中心点互通：服务端已不是该组网的中心点'],
    ['fr', { mode: 2, frId: 8 }, null, 'POP资源：资源已更换，请重新选择'],
    ['point_links', [link(3, 99)], null, '点对点互联：成员已不在组网或已是中心点'],
  ] as const)('passes over %s that nobody can have any more, in words', (setting, value, routerId, text) => {
    const found = plan(setting, value, routerId)
    expect(found.skipped).toEqual([text])
    expect(isEmptyPlan(found)).toBe(true)
  })

  it('passes over what was set for a router that is gone and whose id a later one has', () => {
    expect(plan('quagga', { enable: 1 }, 3, 4).skipped).toEqual(['动态路由：成员已不在组网'])
    expect(plan('quagga', { enable: 1 }, 3, 5).skipped).toEqual([])
    expect(plan('routing', { type: 2, main: 1, secondary: 2 }, null, 0).skipped).toHaveLength(1)
    expect(plan('point_links', [link(3, 4)], null, 4).skipped).toHaveLength(1)
  })

  it('finds members by the keys that the difference holds, under whatever id they are now', () => {
    const uids = { 7: 'k1', 8: 'k2', 9: 'k3', 1: 'gone' }
    const restore = (setting: ShownSetting, value: unknown, routerId: number | null = null) =>
      planRestore([{ setting, routerId, value, at: 0, uids }], present)
    expect(restore('quagga', { enable: 1 }, 9).members).toEqual({ quagga: [{ routerId: 3, value: { enable: 1 } }] })
    expect(restore('routing', { type: 2, main: 7, secondary: 8 }).network).toHaveProperty('routing', {
      type: 2,
      main: 1,
      secondary: 2,
    })
    expect(restore('center_link', { ...twin, server: 8 }).network).toHaveProperty('center_link.server', 2)
    expect(restore('point_links', [link(9, 3)]).skipped).toHaveLength(1) // 3 has no key: a member that was gone
    expect(restore('point_links', [link(9, 9)]).pointLinks).toEqual([{ ...link(3, 3), clientPort: null }])
    // The id of a member that is gone is another one's now.
    expect(restore('quagga', { enable: 1 }, 1)).toMatchObject({ members: {}, skipped: ['动态路由：成员已不在组网'] })
    expect(restore('routing', { type: 2, main: 1, secondary: 8 }).skipped).toHaveLength(1)
    expect(restore('ov', { main: 5, backup: null, priority: 1 }, 9).members).toHaveProperty('ov.0.value.main', 5)
  })

  it('point links of an earlier release keep the port of the client end that they have now', () => {
    const points = { ...present, members: [...members, { ...members[2], routerId: 5, uid: 'k5' }] }
    const now = { ...points, valueOf: () => [{ ...link(5, 3), clientPort: 24_009 }] }
    const restored = (gateway: string) =>
      planRestore([{ setting: 'point_links', routerId: null, value: [{ ...link(5, 3), gateway }], at: 9 }], now)
    expect(restored('172.31.0.0').pointLinks).toBeNull()
    expect(restored('172.31.9.0').pointLinks).toMatchObject([{ gateway: '172.31.9.0', clientPort: 24_009 }])
  })

  it('counts what is passed over for one reason', () => {
    const values = [8, 9].map((routerId) => ({ setting: 'quagga', routerId, value: { enable: 1 }, at: 9 }) as const)
    expect(planRestore(values, present).skipped).toEqual(['动态路由：成员已不在组网（2 个）'])
  })

  it('keeps what still can be', () => {
    expect(plan('routing', { type: 2, main: 2, secondary: 1 }).network).toHaveProperty('routing.main', 2)
    expect(plan('center_link', twin).network).toHaveProperty('center_link.server', 1)
    expect(plan('center_link', { ...twin, enable: 0, server: 3 }).network).toHaveProperty('center_link.server', null)
    expect(plan('fr', { mode: 2, frId: 9 }).columns).toEqual({ mode: 2 })
    expect(plan('ov', { main: 5, backup: null, priority: 1 }, 3).members).toHaveProperty('ov')
  })
})
