import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../worker/contract/errors.ts'
import { NetworkEditPage } from '../../../web/features/network/pages/network-edit-page.tsx'
import { navigation } from '../../../web/lib/navigation.ts'
import { member } from './member.ts'
import { openPage, QUOTA } from './open-page.tsx'

const candidate = (router_name: string, state = 'online') => ({
  router_name,
  note: '',
  online: 1,
  presence: { state, since: null, last_seen: null, reason: '' },
  networks: [],
})
const offered = {
  data: { router: ['h1', 'h2', 'h3', 'h4'].map((name) => candidate(name)), app: [candidate('s1@qiming')] },
}
const info = (members: ReturnType<typeof member>[], revision = 1) => ({
  data: {
    network_number: 'N1',
    network_name: '总部互联',
    network_status: 1,
    suspended_time: null,
    network_type: 1,
    network_service: 2,
    member_count: members.length,
    fr_name: '',
    create_time: 0,
    mode: 1,
    ncp_ciphers: 'default',
    revision,
    network_config: QUOTA,
    member: members,
    link: [],
    overlap: null,
  },
})
const open = (address: string, handlers = {}) =>
  openPage(<NetworkEditPage />, address, { 'router/member': offered, ...handlers })

const box = (name: string) => within(screen.getByRole('grid', { name }))
const names = (list: string) =>
  box(list)
    .queryAllByRole('row')
    .map((row) => row.textContent?.match(/[hs]\d/)?.[0])
const add = (name: string) => userEvent.click(screen.getByRole('button', { name: new RegExp(`^添加为.* ${name}`) }))

describe('creating a network', () => {
  it('says what state each candidate is in: one that never came is not 离线', async () => {
    const router = [candidate('h1'), candidate('h2', 'never'), candidate('h3', 'flapping'), candidate('h4', 'offline')]
    open('/network/create', { 'router/member': { data: { router, app: [] } } })
    await screen.findByRole('button', { name: '创建组网' })
    const words = box('可选成员')
      .queryAllByRole('row')
      .map((row) => row.querySelector('.nl-status-word')?.textContent)
    expect(words).toEqual(['在线', '从未上线', '抖动', '离线'])
  })

  it('asks for a name, then for members, and sends the plan', async () => {
    const { api, router } = open('/network/create', {
      'network/create': { msg: '添加成功', data: { network_number: 'N9' } },
    })
    const submit = await screen.findByRole('button', { name: '创建组网' })
    await userEvent.click(submit)
    await screen.findByText('请输入组网名称')
    await userEvent.type(screen.getByLabelText(/组网名称/), '新组网')
    await userEvent.click(submit)
    await screen.findByText('请选择网络成员')
    await add('h1')
    await userEvent.click(screen.getByRole('radio', { name: '普通点' }))
    await add('h2')
    expect(names('中心点')).toEqual(['h1'])
    expect(names('普通点')).toEqual(['h2'])
    expect(names('可选成员')).toEqual(['h3', 'h4'])
    await userEvent.click(submit)
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

  it('refuses software as a centre, a third centre, and a member beyond the quota', async () => {
    open('/network/create')
    await screen.findByRole('button', { name: '创建组网' })
    await userEvent.click(screen.getByRole('tab', { name: /软件成员/ }))
    await add('s1')
    await screen.findByText(ERRORS.SOFTWARE_CENTER_FORBIDDEN.msg)
    await userEvent.click(screen.getByRole('tab', { name: /硬件成员/ }))
    await add('h1')
    await add('h2')
    await add('h3')
    await screen.findByText('中心点仅支持2个')
    await userEvent.click(screen.getByRole('radio', { name: '普通点' }))
    await add('h3')
    await screen.findByText('最多支持5个成员，如需使用更多成员数请升级！')
    await userEvent.click(screen.getByRole('button', { name: '立即升级' }))
    await screen.findByText('暂时无法升级')
    await userEvent.click(screen.getByRole('button', { name: '暂不升级' }))
    expect(names('中心点')).toEqual(['h1', 'h2'])
  })

  it('works by keyboard alone', async () => {
    open('/network/create')
    const list = await screen.findByRole('grid', { name: '可选成员' })
    list.focus()
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(names('中心点')).toEqual(['h2'])
    await userEvent.keyboard('{Control>}a{/Control}')
    expect(box('可选成员').getAllByRole('row', { selected: true })).toHaveLength(3)
  })
})

describe('managing members', () => {
  const before = [member('h1', { role: 'center' }), member('h2')]

  it('sends the revision it started from', async () => {
    const { api } = open('/network/edit?network_number=N1', {
      'network/info': info(before, 7),
      'network/edit': { msg: '修改成功' },
    })
    await screen.findByRole('heading', { name: '管理成员' })
    await screen.findByRole('grid', { name: '可选成员' })
    await add('h3')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(api.last('network/edit')?.input).toEqual({
        network_name: '总部互联',
        network_number: 'N1',
        revision: 7,
        center: ['h1'],
        point: ['h2', 'h3'],
      }),
    )
  })

  it('a segment conflict names both owners and keeps the plan', async () => {
    const conflict = '网段冲突：总部（10.0.0.0/8）与分支（10.1.0.0/16）重叠，请调整后再添加'
    open('/network/edit?network_number=N1', {
      'network/info': info(before),
      'network/edit': { code: 422, msg: conflict, data: { field: 'point' } },
    })
    await screen.findByRole('grid', { name: '可选成员' })
    await add('h3')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText(conflict)
    expect(names('普通点')).toEqual(['h2', 'h3'])
  })

  it('changes of another user are merged under the own changes', async () => {
    let current = info(before, 1)
    const { api } = open('/network/edit?network_number=N1', {
      'network/info': () => current,
      'network/edit': ({ input }: { input: Record<string, unknown> }) =>
        input['revision'] === 1
          ? { code: 422, msg: ERRORS.NETWORK_CHANGED.msg, reason: 'NETWORK_CHANGED' as const }
          : { msg: '修改成功' },
    })
    await screen.findByRole('grid', { name: '可选成员' })
    await add('h3')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    current = info([...before, member('h4')], 2)
    await userEvent.click(await screen.findByRole('button', { name: '合并最新成员后继续' }))
    await waitFor(() => expect(names('普通点')).toEqual(['h2', 'h4', 'h3']))
    expect(screen.queryByText(new RegExp(ERRORS.NETWORK_CHANGED.msg))).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(api.last('network/edit')?.input).toMatchObject({ revision: 2, point: ['h2', 'h4', 'h3'] }),
    )
  })

  it('leaves for the list, without asking, when the network has been deleted meanwhile', async () => {
    let current: object = info(before)
    const gone = { code: 204, msg: ERRORS.NETWORK_NOT_FOUND.msg }
    const { router } = open('/network/edit?network_number=N1', { 'network/info': () => current, 'network/edit': gone })
    await screen.findByRole('grid', { name: '可选成员' })
    await add('h3')
    current = gone
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/network/lists'))
    expect(screen.queryByText(ERRORS.NETWORK_NOT_FOUND.msg)).not.toBeNull()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('drops a chosen member that has been deleted meanwhile', async () => {
    let candidates: object = offered
    const { api } = open('/network/edit?network_number=N1', {
      'network/info': info(before),
      'router/member': () => candidates,
      'network/edit': ({ input }: { input: { point: string[] } }) =>
        input.point.includes('h4') ? { code: 204, msg: ERRORS.ROUTER_NOT_FOUND.msg } : { msg: '修改成功' },
    })
    await screen.findByRole('grid', { name: '可选成员' })
    await add('h3')
    await add('h4')
    candidates = { data: { ...offered.data, router: ['h1', 'h2', 'h3'].map((name) => candidate(name)) } }
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText(ERRORS.ROUTER_NOT_FOUND.msg)
    expect(names('普通点')).toEqual(['h2', 'h3'])
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(api.last('network/edit')?.input).toMatchObject({ point: ['h2', 'h3'] }))
  })

  it('asks before unsaved changes are left', async () => {
    const { router } = open('/network/edit?network_number=N1', { 'network/info': info(before) })
    await screen.findByRole('grid', { name: '可选成员' })
    await add('h3')
    await userEvent.click(screen.getByRole('link', { name: '组网列表' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(router.state.location.pathname).toBe('/network/edit')
    await userEvent.click(dialog.getByRole('button', { name: '放弃修改' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/network/lists'))
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
    await add('h1')
    await userEvent.click(screen.getByRole('button', { name: '创建组网' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith(expect.stringContaining('/login?redirect=')))
    cleanup()
  }

  it('keeps the half-filled form for the same user', async () => {
    await expire()
    open('/network/create')
    expect(await screen.findByLabelText(/组网名称/)).toHaveProperty('value', '写到一半')
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
