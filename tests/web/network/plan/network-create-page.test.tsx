import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { NetworkEditPage } from '#pages/network/plan/network-edit-page.tsx'
import { navigation } from '#lib/navigation.ts'
import { openPage, QUOTA } from '../open-page.tsx'
import { candidate, choose, find, names, offered, open, rows, setRole, sum } from './plan-page.tsx'

describe('creating a network', () => {
  it('says what state each candidate is in: one that never came is not 离线', async () => {
    const router = [candidate('h1'), candidate('h2', 'never'), candidate('h3', 'flapping'), candidate('h4', 'offline')]
    open('/network/create', { 'router/member': { data: { router, app: [] } } })
    await screen.findByRole('button', { name: '创建组网' })
    const words = rows().map((row) => row.querySelector('.nl-status-word')?.textContent)
    expect(words).toEqual(['在线', '从未上线', '抖动', '离线'])
    const chips = within(screen.getByRole('group', { name: '按状态筛选成员' })).getAllByRole('button')
    expect(chips.map((chip) => chip.textContent)).toEqual(['共 4', '在线 1', '抖动 1', '离线 1', '从未上线 1'])
    await userEvent.click(screen.getByRole('button', { name: '离线 1' }))
    expect(rows().map((row) => row.dataset['row'])).toEqual(['h4'])
  })

  it('asks for a name, then for members, and sends the plan', async () => {
    const { api, router } = open('/network/create', {
      'network/create': { msg: '添加成功', data: { network_number: 'N9' } },
    })
    await find()
    // Found each time: Semi replaces a button that begins to load.
    const submit = () => userEvent.click(screen.getByRole('button', { name: '创建组网' }))
    await submit()
    await screen.findByText('请输入组网名称')
    await screen.findByText('同一组网内，各成员的 IP 网段不能相同')
    await userEvent.type(screen.getByLabelText(/组网名称/), '新组网')
    await submit()
    await screen.findByText('请选择网络成员')
    await choose('h1')
    await submit()
    await screen.findByText('请至少选择一个中心点')
    await setRole('h1', '中心点')
    await choose('h2')
    expect(names('中心点')).toEqual(['h1'])
    expect(names('普通点')).toEqual(['h2'])
    expect(sum()).toBe('已选 2 · 中心点 1/2 · 席位 5/5 · 网段无冲突')
    await submit()
    await waitFor(() =>
      expect(api.last('network/create')?.input).toEqual({
        network_name: '新组网',
        center: ['h1'],
        point: ['h2'],
        idempotency_key: expect.any(String) as string,
      }),
    )
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe('/network/detail?network_number=N9'),
    )
  })

  it('says that a name is in use, and creates the network all the same', async () => {
    const { api } = open('/network/create', {
      'network/select': { data: [{ network_number: 'N7', network_name: '总部互联' }] },
      'network/create': { msg: '添加成功', data: { network_number: 'N9' } },
    })
    await find()
    await userEvent.type(screen.getByLabelText(/组网名称/), '总部互联')
    await screen.findByText('已有同名组网（编号 N7），建议换一个名称以便区分')
    await choose('h1')
    await setRole('h1', '中心点')
    await userEvent.click(screen.getByRole('button', { name: '创建组网' }))
    await waitFor(() => expect(api.last('network/create')).toBeDefined())
  })

  it('offers software no role, refuses a third centre, and a member beyond the quota', async () => {
    open('/network/create', { 'network/config': { data: { ...QUOTA, network_router_use: 1 } } })
    await find()
    await choose('s1@qiming')
    expect(screen.queryByRole('group', { name: 's1@qiming的角色' })).toBeNull()
    for (const name of ['h1', 'h2', 'h3']) await choose(name)
    await setRole('h1', '中心点')
    await setRole('h2', '中心点')
    await setRole('h3', '中心点')
    await screen.findByText('中心点仅支持2个')
    expect(names('中心点')).toEqual(['h1', 'h2'])
    await choose('h4')
    await screen.findByText('最多支持5个成员，如需使用更多成员数请升级！')
    await userEvent.click(screen.getByRole('button', { name: '立即升级' }))
    await screen.findByText('暂时无法升级')
    await userEvent.click(screen.getByRole('button', { name: '暂不升级' }))
    expect(sum()).toBe('已选 4 · 中心点 2/2 · 席位 5/5 · 网段无冲突')
  })

  it('says that there are no seats before the work, with the way out', async () => {
    const none = { ...QUOTA, network_router_use: 0, network_router_count: 0 }
    const { router } = open('/network/create', { 'network/config': { data: none } })
    await screen.findByText('尚未开通组网成员席位，请联系服务商开通。')
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getByRole('link', { name: '提交工单' }).getAttribute('href')).toBe('/ticket/create?request=service')
    await userEvent.click(screen.getByRole('button', { name: '返回组网列表' }))
    expect(router.state.location.pathname).toBe('/network/lists')
    cleanup()
    open('/network/create', { 'network/config': { data: { ...QUOTA, network_router_use: 5 } } })
    await screen.findByText('席位已用完（5/5），请移除不用的成员，或联系服务商扩容。')
  })

  it('shows an overlap while members are chosen, at their rows, and is not saved with it', async () => {
    const router = [
      candidate('h1'),
      candidate('h2', 'online', ['10.68.0.0/24']),
      candidate('h3', 'online', ['10.68.0.0/25']),
      candidate('h4'),
    ]
    const { api } = open('/network/create', {
      'router/member': { data: { router, app: [] } },
      'network/config': { data: { ...QUOTA, network_router_use: 0 } },
    })
    await userEvent.type(await screen.findByLabelText(/组网名称/), '新组网')
    await choose('h1')
    await setRole('h1', '中心点')
    await choose('h2')
    expect(sum()).toContain('网段无冲突')
    const preview = '网段 10.68.0.0/25 与h2（10.68.0.0/24）重叠，可改用 10.68.1.0/25'
    await screen.findByText(preview) // h3 is not chosen yet
    await choose('h3')
    expect(sum()).toContain('网段冲突 2 个成员')
    expect(rows().filter((row) => row.textContent?.includes('重叠'))).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: '创建组网' }))
    await screen.findByText('网段冲突：h2（10.68.0.0/24）与h3（10.68.0.0/25）重叠，请调整后再添加')
    expect(api.last('network/create')).toBeUndefined()
    await userEvent.click(screen.getByRole('button', { name: /^网段冲突 2/ }))
    expect(rows().map((row) => row.dataset['row'])).toEqual(['h2', 'h3'])
  })

  it('pages hundreds of candidates, keeps a row where it is chosen, and puts the chosen on top of the next view', async () => {
    const router = Array.from({ length: 300 }, (_, n) => candidate(`h${n + 1}`))
    open('/network/create', {
      'router/member': { data: { router, app: [] } },
      'network/config': { data: { ...QUOTA, network_router_count: 400 } },
    })
    await find()
    expect(rows()).toHaveLength(10)
    await userEvent.click(screen.getByRole('button', { name: '下一页' }))
    await choose('h13')
    expect(rows().map((row) => row.dataset['row'])).toEqual(Array.from({ length: 10 }, (_, n) => `h${n + 11}`))
    await userEvent.click(screen.getByRole('button', { name: '上一页' }))
    expect(rows()[0]?.dataset['row']).toBe('h13')
    await userEvent.type(screen.getByRole('textbox', { name: /跳至页码/ }), '30{Enter}')
    expect(rows()[9]?.dataset['row']).toBe('h300')
    await userEvent.type(screen.getByLabelText('搜索备注、序列号、账号或网段'), 'h30{Enter}')
    await waitFor(() => expect(rows()).toHaveLength(2)) // h30, h300
    expect(screen.queryByText('请输入组网名称')).toBeNull() // Enter has sent no form
    await userEvent.clear(screen.getByLabelText('搜索备注、序列号、账号或网段'))
    await userEvent.click(await screen.findByRole('button', { name: '选择全部 299 个' }))
    expect(sum()).toContain('已选 300')
  })

  it('works by keyboard alone', async () => {
    open('/network/create')
    const box = await screen.findByRole('checkbox', { name: '选择 h2' })
    box.focus()
    await userEvent.keyboard(' {Enter}')
    expect(screen.queryByText('请输入组网名称')).toBeNull()
    expect(names('普通点')).toEqual(['h2'])
    await userEvent.tab()
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    expect(names('中心点')).toEqual(['h2'])
  })
})

describe('a session that runs out', () => {
  const EXPIRED = {
    'network/create': { code: 2001, msg: 'x' },
    'login/refresh': { code: 2002, msg: 'x' },
  }
  const expire = async () => {
    const assign = vi.spyOn(navigation, 'assign').mockImplementation(() => {})
    open('/network/create', EXPIRED)
    await userEvent.type(await screen.findByLabelText(/组网名称/), '写到一半')
    await choose('h1')
    await setRole('h1', '中心点')
    await userEvent.click(screen.getByRole('button', { name: '创建组网' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith(expect.stringContaining('/login?redirect=')))
    cleanup()
  }

  it('keeps the half-filled form for the same user', async () => {
    await expire()
    open('/network/create')
    await waitFor(() => expect(screen.getByLabelText(/组网名称/)).toHaveProperty('value', '写到一半'))
    expect(names('中心点')).toEqual(['h1'])
    expect(screen.queryByText(/未保存的内容已恢复/)).not.toBeNull()
    cleanup()
    open('/network/create')
    expect(await screen.findByLabelText(/组网名称/)).toHaveProperty('value', '')
  })

  it('keeps it from any other user', async () => {
    await expire()
    openPage(<NetworkEditPage />, '/network/create', { 'router/member': offered }, { username: 'demo02' })
    expect(await screen.findByLabelText(/组网名称/)).toHaveProperty('value', '')
  })
})
