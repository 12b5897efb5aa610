import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { RoleListPage } from '#pages/ram-role/role-list-page.tsx'
import { chooseAction } from '../lib/row-menu.ts'
import { openPage } from '../network/open-page.tsx'

const NONE = { create: 0, edit: 0, delete: 0 }
const authOf = (number: readonly string[] | null, network: object = {}) => ({
  easylink: { router: NONE, network: { ...NONE, ...network, number } },
  monitor: { view: 0, ...NONE },
})
const role = (over: object = {}) => ({
  id: 3,
  name: '值班',
  note: '',
  auth: authOf(null),
  ram_count: 2,
  create_time: Date.parse('2026-01-02T02:00:00Z'),
  update_time: Date.parse('2026-01-03T02:00:00Z'),
  ...over,
})
const NETWORKS = [
  { network_number: '2600000001', network_name: '总部网' },
  { network_number: '2600000002', network_name: '分支网' },
]

const open = (rows: readonly object[], handlers = {}) =>
  openPage(<RoleListPage />, '/ram/role', {
    'ram_role/lists': { data: rows, count: rows.length },
    'network/select': { data: NETWORKS },
    ...handlers,
  })
const findRow = async (name = '值班') => within(await screen.findByRole('row', { name: new RegExp(name) }))
/** A right by its object and name: 组网 创建. */
const right = (dialog: ReturnType<typeof within>, of: string) => {
  const [object, name = ''] = of.split(' ')
  const group = within(dialog.getByRole('group', { name: `${object}权限` }))
  return group.getByRole<HTMLInputElement>('checkbox', { name })
}
const findDialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('directory 2 · list of roles', () => {
  it('shows name, note, networks, sub-accounts and times', async () => {
    open([
      role({ note: '夜间和周末由他们值守，负责全部门店的网络' }),
      role({ id: 4, name: '夜班', auth: authOf(['2600000001']) }),
      role({ id: 5, name: '访客', auth: authOf([]) }),
    ])
    const first = await findRow()
    for (const text of [
      '全部组网',
      '2',
      '2026-01-02 10:00:00',
      '2026-01-03 10:00:00',
      /^夜间和周末由他们值守，负责全部门店的…$/,
    ])
      expect(first.getByText(text)).not.toBeNull()
    expect((await findRow('夜班')).getByText('1 个组网')).not.toBeNull()
    expect((await findRow('访客')).getByText('无')).not.toBeNull()
  })

  it('shows who keeps a role from being deleted', async () => {
    const msg = '该角色正在使用，请先更换子账号“desk”的角色'
    open([role()], { 'ram_role/delete': { code: 422, msg, data: { field: 'id' } } })
    await chooseAction(await findRow(), '删除')
    await userEvent.click(await screen.findByRole('button', { name: '删除角色' }))
    expect(await screen.findByText(msg)).not.toBeNull()
  })
})

describe('directory 3 · dialog of a role', () => {
  it('sends flags as 0 and 1, and null for all networks', async () => {
    const { api } = open([], { 'ram_role/create': { msg: '添加成功', data: { id: 9 } } })
    await screen.findByText('好像没有什么东西哦！')
    await userEvent.click(screen.getAllByRole('button', { name: '添加角色' })[0]!)
    const dialog = await findDialog('添加角色')
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    expect(await dialog.findByText('请输入角色名称')).not.toBeNull()
    await userEvent.type(dialog.getByLabelText(/^角色名称/), '运维')
    for (const name of ['成员 编辑', '组网 创建', '监控 设置']) await userEvent.click(right(dialog, name))
    expect(right(dialog, '监控 查看').checked).toBe(true)
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    await waitFor(() => expect(api.last('ram_role/create')).toBeDefined())
    expect(api.last('ram_role/create')?.input).toEqual({
      name: '运维',
      note: '',
      auth: {
        easylink: {
          router: { create: 0, edit: 1, delete: 0 },
          network: { create: 1, edit: 0, delete: 0, number: null },
        },
        monitor: { view: 1, create: 0, edit: 1, delete: 0 },
      },
    })
  })

  it('limited to networks has no creation, and sends those that are chosen', async () => {
    const { api } = open([role({ auth: authOf(null, { create: 1 }) })], { 'ram_role/edit': { msg: '', data: null } })
    await userEvent.click((await findRow()).getByRole('button', { name: /^编辑/ }))
    const dialog = await findDialog('编辑角色')
    expect(dialog.getByText('保存后对使用该角色的 2 个子账号立即生效')).not.toBeNull()
    const create = right(dialog, '组网 创建')
    expect([create.checked, create.disabled]).toEqual([true, false])
    await userEvent.click(dialog.getByRole('radio', { name: '指定组网' }))
    expect([create.checked, create.disabled]).toEqual([false, true])
    await userEvent.click(await dialog.findByText('分支网'))
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(api.last('ram_role/edit')).toBeDefined())
    expect(api.last('ram_role/edit')?.input).toMatchObject({
      auth: { easylink: { network: { create: 0, number: ['2600000002'] } } },
    })
  })

  it('may be limited to none', async () => {
    const { api } = open([role({ auth: authOf(['2600000001']) })], { 'ram_role/edit': { msg: '', data: null } })
    await userEvent.click((await findRow()).getByRole('button', { name: /^编辑/ }))
    const dialog = await findDialog('编辑角色')
    await userEvent.click(await dialog.findByText('总部网'))
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(api.last('ram_role/edit')).toBeDefined())
    expect(api.last('ram_role/edit')?.input).toMatchObject({ auth: { easylink: { network: { number: [] } } } })
  })

  it('without the view of monitoring has none of its rights', async () => {
    const { api } = open([role()], { 'ram_role/edit': { msg: '', data: null } })
    await userEvent.click((await findRow()).getByRole('button', { name: /^编辑/ }))
    const dialog = await findDialog('编辑角色')
    for (const name of ['监控 启动', '监控 关闭', '监控 查看']) await userEvent.click(right(dialog, name))
    await userEvent.type(dialog.getByLabelText('备注'), '二')
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(api.last('ram_role/edit')).toBeDefined())
    expect(api.last('ram_role/edit')?.input).toMatchObject({ auth: { monitor: { view: 0, ...NONE } } })
  })

  it('shows refusals on their fields', async () => {
    const { api } = open([role()], {
      'ram_role/edit': { code: 422, msg: '该角色名称已存在，请更换', data: { field: 'name' } },
    })
    await userEvent.click((await findRow()).getByRole('button', { name: /^编辑/ }))
    const dialog = await findDialog('编辑角色')
    await userEvent.type(dialog.getByLabelText(/^角色名称/), '二')
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    expect(await dialog.findByText('该角色名称已存在，请更换')).not.toBeNull()
    const gone = '所选组网不存在或已被删除，请重新选择'
    api.set('ram_role/edit', { code: 422, msg: gone, data: { field: 'auth.easylink.network.number' } })
    await userEvent.click(dialog.getByRole('radio', { name: '指定组网' }))
    await userEvent.click(await dialog.findByText('总部网'))
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    expect(await dialog.findByText(gone)).not.toBeNull()
  })
})
