import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { NetworkEditPage } from '#pages/network/plan/network-edit-page.tsx'
import { navigation } from '#lib/navigation.ts'
import { openPage, QUOTA } from '../open-page.tsx'
import { candidateApi } from './candidate-api.ts'
import { candidate, choose, find, names, offered, open, rows, setRole, sum } from './plan-page.tsx'

describe('creating a network', () => {
  it('says what state each candidate is in: one that never came is not 离线', async () => {
    const router = [candidate('h1'), candidate('h2', 'never'), candidate('h3', 'flapping'), candidate('h4', 'offline')]
    open('/network/create', candidateApi({ router, app: [] }))
    await screen.findByRole('button', { name: '创建组网' })
    const words = rows().map((row) => row.querySelector('.nl-status-word')?.textContent)
    expect(words).toEqual(['在线', '从未上线', '抖动', '离线'])
    const chips = within(screen.getByRole('group', { name: '按状态筛选成员' })).getAllByRole('button')
    expect(chips.map((chip) => chip.textContent)).toEqual(['共 4', '在线 1', '抖动 1', '离线 1', '从未上线 1'])
    await userEvent.click(screen.getByRole('button', { name: '离线 1' }))
    await waitFor(() => expect(rows().map((row) => row.dataset['row'])).toEqual(['h4']))
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
      ...candidateApi({ router, app: [] }),
      'network/config': { data: { ...QUOTA, network_router_count: 9 } },
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

  it('pages and searches thousands on the server, holds the chosen ones alone, and keeps a row where it is chosen', async () => {
    const app = Array.from({ length: 5_000 }, (_, n) => candidate(`user${String(n + 1).padStart(4, '0')}@qiming`))
    const { api } = open('/network/create', {
      ...candidateApi({ router: offered.router, app }),
      'network/config': { data: { ...QUOTA, network_router_count: 400 } },
    })
    const shown = () => rows().map((row) => row.dataset['row'])
    const search = screen.findByLabelText('搜索备注、序列号、账号或网段')
    await find()
    expect(rows()).toHaveLength(10)
    await screen.findByRole('button', { name: '软件 5,000' })
    await choose('user0002@qiming')
    expect(shown()).toEqual(['h1', 'h2', 'h3', 'h4', ...[1, 2, 3, 4, 5, 6].map((n) => `user000${n}@qiming`)])
    const before = api.calls.length
    await userEvent.type(await search, 'user2500{Enter}')
    await waitFor(() => expect(shown()).toEqual(['user2500@qiming']))
    const asked = api.calls.slice(before).filter(({ input }) => input['search'] === 'user2500')
    expect(asked.map(({ path, input }) => [path, input['page'], input['limit']])).toEqual([
      ['router/member', '1', '10'],
    ])
    await choose('user2500@qiming')
    await userEvent.click(screen.getByRole('button', { name: '已选 2' }))
    await userEvent.clear(await search)
    await waitFor(() => expect(shown()).toEqual(['user0002@qiming', 'user2500@qiming']))
    expect(Math.max(...api.calls.map(({ input }) => ((input['router_name'] as string[]) ?? []).length))).toBe(2)
    expect(screen.queryByText('请输入组网名称')).toBeNull() // Enter has sent no form
  })

  it('chooses all members of a search at once, also those on other pages', async () => {
    const router = Array.from({ length: 300 }, (_, n) => candidate(`h${n + 1}`))
    open('/network/create', {
      ...candidateApi({ router, app: [] }),
      'network/config': { data: { ...QUOTA, network_router_count: 400 } },
    })
    await find()
    await choose('h1')
    await userEvent.type(screen.getByLabelText('搜索备注、序列号、账号或网段'), 'h1{Enter}')
    await userEvent.click(await screen.findByRole('button', { name: '选择全部 111 个' }))
    await waitFor(() => expect(sum()).toContain('已选 111'))
  })

  it('未选 lists the others alone, with whole pages; a choice stays where it is until the filter is set anew', async () => {
    const router = Array.from({ length: 25 }, (_, n) => candidate(`h${n + 1}`))
    const { api } = open('/network/create', {
      ...candidateApi({ router, app: [] }),
      'network/config': { data: { ...QUOTA, network_router_count: 400 } },
    })
    const shown = () => rows().map((row) => row.dataset['row'])
    const asked = () => api.last('router/member')?.input
    await find()
    await choose('h1')
    await choose('h3')
    await userEvent.click(screen.getByRole('button', { name: '未选' }))
    await screen.findByRole('button', { name: '未选 23' })
    expect(asked()).toMatchObject({ except: 'h1,h3', outside: '1', page: '1' })
    expect(shown().slice(0, 3)).toEqual(['h2', 'h4', 'h5'])
    await choose('h2')
    expect(shown().slice(0, 3)).toEqual(['h2', 'h4', 'h5'])
    await userEvent.click(screen.getByRole('button', { name: '第 2 页' }))
    await waitFor(() => expect(asked()).toMatchObject({ except: 'h1,h3', page: '2' }))
    await userEvent.type(screen.getByLabelText('搜索备注、序列号、账号或网段'), 'h')
    await waitFor(() => expect(asked()).toMatchObject({ except: 'h1,h3,h2', search: 'h', page: '1' }))
  })

  it('chooses pasted serial numbers and accounts, and lists those that are unknown', async () => {
    const busy = Array.from({ length: 8 }, (_, n) => ({ network_number: `X${n}` }))
    open('/network/create', {
      ...candidateApi({ router: [...offered.router, candidate('full', 'online', [], busy)], app: offered.app }),
      'network/config': { data: { ...QUOTA, network_router_count: 9 } },
    })
    await find()
    await choose('h1')
    await userEvent.click(screen.getByLabelText('搜索备注、序列号、账号或网段'))
    await userEvent.paste('h1\nH2\ns1\nnobody\nfull')
    const dialog = within(await screen.findByRole('dialog', { name: '粘贴序列号或账号' }))
    expect(dialog.getByLabelText<HTMLTextAreaElement>('序列号或账号').value).toBe('h1\nH2\ns1\nnobody\nfull')
    await userEvent.click(dialog.getByRole('button', { name: '选择 5 个成员' }))
    await dialog.findByText('已选择 2 个成员，1 个之前已选，1 个加入的组网已达上限，1 个未找到，请核对：nobody。')
    expect(dialog.getByLabelText<HTMLTextAreaElement>('序列号或账号').value).toBe('nobody')
    await userEvent.click(dialog.getByRole('button', { name: '选择 1 个成员' }))
    await dialog.findByText('已选择 0 个成员，1 个未找到，请核对：nobody。')
    await userEvent.click(dialog.getByRole('button', { name: '完成' }))
    expect(sum()).toContain('已选 3')
    await userEvent.click(screen.getByRole('button', { name: '已选 3' }))
    await waitFor(() => expect(rows().map((row) => row.dataset['row'])).toEqual(['h1', 'h2', 's1@qiming']))
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
    openPage(<NetworkEditPage />, '/network/create', candidateApi(offered), { username: 'demo02' })
    expect(await screen.findByLabelText(/组网名称/)).toHaveProperty('value', '')
  })
})
