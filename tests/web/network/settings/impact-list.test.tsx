import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { impactDetails, impactText } from '#pages/network/settings/impact-list.tsx'
import { createImpact } from '../impact.ts'
import { member } from '../member.ts'
import { editSetting, info, open, status } from '../open-network.tsx'

const twin = [member('c1', { role: 'center' }), member('c2', { role: 'center' }), member('p1')]
const openDns = async (handlers: object) => {
  const page = open({
    'network/info': info(twin, { revisions: { dns: 3 } }),
    'network/status': status(twin),
    ...handlers,
  })
  await editSetting('DNS')
  return page
}
const type = async (text: string) =>
  fireEvent.change(await screen.findByLabelText('DNS地址1'), { target: { value: text } })

describe('impact of saving', () => {
  it('stands in the foot once a valid value was chosen, by what saving would send', async () => {
    const impact = createImpact({ routers: 3, offline: 1, links: { reconnects: 4, opens: 0, closes: 0 } })
    const { api } = await openDns({ 'network/impact': { data: impact } })
    await type('10.0.0.53')
    await screen.findByText('保存后更新 3 台设备，其中 1 台离线，上线后下发，4 条链路会断开重连')
    expect(api.last('network/impact')?.input).toEqual({
      call: 'dns',
      input: { network_number: 'N1', dns: ['10.0.0.53'], revision: 3 },
    })
  })

  it('is not asked for with each letter, nor for what is not valid', async () => {
    const { api } = await openDns({ 'network/impact': { data: createImpact() } })
    for (const text of ['1', '10.0', '10.0.0.5', '10.0.0.53']) await type(text)
    await screen.findByText('设备配置无变化')
    expect(api.paths().filter((path) => path === 'network/impact')).toHaveLength(1)
    await type('10.0.0.')
    await waitFor(() => expect(screen.queryByText('设备配置无变化')).toBeNull())
  })

  it('is left out where it cannot be computed, and saving goes on', async () => {
    const { api } = await openDns({
      'network/impact': { code: 500, msg: '服务异常' },
      'network/dns': { msg: '设置成功' },
    })
    await type('10.0.0.53')
    await waitFor(() => expect(api.paths()).toContain('network/impact'))
    expect(screen.queryByText('服务异常')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText('设置成功')
    for (const button of screen.getAllByRole('button', { name: '关闭提示' })) await userEvent.click(button)
  })
})

describe('its words', () => {
  it.each([
    [createImpact(), '设备配置无变化'],
    [createImpact({ routers: 2 }), '保存后更新 2 台设备'],
    [
      createImpact({ routers: 2, links: { reconnects: 0, opens: 1, closes: 2 } }),
      '保存后更新 2 台设备，新建 1 条链路，断开 2 条链路',
    ],
    [createImpact({ routers: 1, software_centers: 1 }), '保存后更新 1 台设备，1 个中心点的软件成员会断开重连'],
  ])('%#', (impact, text) => {
    expect(impactText(impact)).toBe(text)
  })

  it('name devices and links, the first of many', () => {
    const link = {
      router_name: 'p1',
      router_name_note: '门店',
      center_router_name: 'c1',
      center_router_name_note: '',
      effect: 'reconnects',
    } as const
    const impact = createImpact({
      offline: 9,
      offline_routers: [{ router_name: 'p1', router_name_note: '门店' }],
      links: { reconnects: 1, opens: 0, closes: 0 },
      moved_links: [link],
    })
    expect(impactDetails(impact)).toEqual(['离线设备：门店 等 9 个', '链路：门店 → c1 重新连接'])
    expect(impactDetails(createImpact({ routers: 1 }))).toEqual([])
  })

  it('say that further segments may be concerned where few members were compared', () => {
    const impact = createImpact({ routers: 9, routes: { lost: 8, gained: 0, moved: 0 }, routes_partial: 1 })
    expect(impactText(impact)).toBe(
      '8 个网段将不再互通，成员较多，仅比较了部分成员的路由，实际变化的网段可能更多，保存后更新 9 台设备',
    )
  })

  it('name segments that are lost, gained or take another path', () => {
    const route = { router_name: 'p1', router_name_note: '门店', old_via: ['总部'], new_via: ['备用'] }
    const impact = createImpact({
      routers: 9,
      routes: { lost: 8, gained: 0, moved: 1 },
      moved_routes: [
        { ...route, prefix: '10.77.6.0/24', effect: 'lost', new_via: [] },
        { ...route, prefix: '10.77.7.0/24', effect: 'moved' },
      ],
    })
    expect(impactText(impact)).toBe('8 个网段将不再互通，1 个网段改走其他路径，保存后更新 9 台设备')
    expect(impactDetails(impact)).toEqual([
      '网段：10.77.6.0/24（门店）不再互通；10.77.7.0/24（门店）由经 总部 改为经 备用 等 9 个',
    ])
  })
})
