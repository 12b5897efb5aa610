import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { RamListPage } from '#pages/ram/ram-list-page.tsx'
import { chooseAction, findAction } from '../lib/row-menu.ts'
import { openPage } from '../network/open-page.tsx'

const ram = (over: object = {}) => ({
  id: 7,
  username: 'desk',
  nickname: '值班小王',
  role_id: 3,
  role_name: '值班',
  status: 1,
  session_count: 2,
  create_time: Date.parse('2026-01-02T02:00:00Z'),
  login_time: null,
  ...over,
})

const open = (rows: readonly object[], handlers = {}) =>
  openPage(<RamListPage />, '/ram/index', {
    'ram/lists': { data: rows, count: rows.length },
    'ram/quantity': { data: { count: rows.length, max: 3 } },
    'ram/domain': { data: { domain: 'qiming' } },
    'ram_role/select': { data: [{ id: 3, name: '值班' }] },
    ...handlers,
  })
const findRow = async (name = 'desk') => within(await screen.findByRole('row', { name: new RegExp(name) }))

describe('directory 2 · list of sub-accounts', () => {
  it('shows usage, account with suffix, nickname, role, state and times', async () => {
    open([ram(), ram({ id: 8, username: 'night', status: 0, session_count: 0 })])
    const first = await findRow()
    for (const text of ['值班小王', '值班', '已登录 2 处', '2026-01-02 10:00:00', '从未登录'])
      expect(first.getByText(text)).not.toBeNull()
    await waitFor(() => expect(first.getByText(/desk@qiming/)).not.toBeNull())
    expect((await findRow('night')).getByText('已停用')).not.toBeNull()
    expect(screen.getByText('2 / 3')).not.toBeNull()
    expect(screen.getByText('还可添加 1 个')).not.toBeNull()
  })

  it('is searched, and paged by ten', async () => {
    const { api } = open([ram()], { 'ram/lists': { data: [ram()], count: 11 } })
    await findRow()
    await userEvent.click(screen.getByRole('button', { name: '第 2 页' }))
    await waitFor(() => expect(api.last('ram/lists')?.input).toMatchObject({ page: '2', limit: '10' }))
    await userEvent.type(screen.getByRole('textbox', { name: /^搜索/ }), '值班')
    await waitFor(() => expect(api.last('ram/lists')?.input).toMatchObject({ page: '1', search: '值班' }))
  })

  it('a used quota blocks the button with the server’s sentence', async () => {
    open([ram()], { 'ram/quantity': { data: { count: 3, max: 3 } } })
    await findRow()
    const add = screen.getByRole('button', { name: '添加子账号' })
    await waitFor(() => expect(add.getAttribute('aria-disabled')).toBe('true'))
    await userEvent.hover(add.parentElement!)
    expect((await screen.findByRole('tooltip')).textContent).toBe('子账号数量已达上限3个')
    expect(screen.getByText('已用完')).not.toBeNull()
  })

  it('without any explains what they are for', async () => {
    open([])
    expect(await screen.findByText('子账号供同事登录控制台，能做什么由角色决定。')).not.toBeNull()
  })

  it('a read that fails offers another try', async () => {
    const { api } = open([], { 'ram/lists': { code: 500, msg: '系统异常,请稍候尝试!' } })
    const retry = await screen.findByRole('button', { name: '重试' })
    api.set('ram/lists', { data: [ram()], count: 1 })
    await userEvent.click(retry)
    expect((await findRow()).getByText('值班小王')).not.toBeNull()
  })
})

describe('directory 2 · dialog of a sub-account', () => {
  it('creates one with role and generated password', async () => {
    const { api } = open([], { 'ram/create': { msg: '添加成功', data: { id: 9 } } })
    await screen.findByText('好像没有什么东西哦！')
    await userEvent.click(screen.getAllByRole('button', { name: '添加子账号' })[0]!)
    const dialog = within(await screen.findByRole('dialog', { name: '添加子账号' }))
    expect(dialog.getByText('@qiming')).not.toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    for (const text of ['请输入账号', '请输入昵称', '请选择角色', '请输入密码'])
      expect(await dialog.findByText(text)).not.toBeNull()
    await userEvent.type(dialog.getByLabelText(/^账号/), 'd'.repeat(19))
    expect(await dialog.findByText('账号不能超过18个字符')).not.toBeNull()
    await userEvent.clear(dialog.getByLabelText(/^账号/))
    await userEvent.type(dialog.getByLabelText(/^账号/), 'desk')
    await userEvent.type(dialog.getByLabelText(/^昵称/), '小王')
    await userEvent.click(dialog.getByRole('combobox'))
    fireEvent.click(await screen.findByText('值班', { selector: '.semi-select-option-text' }))
    await userEvent.click(dialog.getByRole('button', { name: '生成密码' }))
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    await waitFor(() => expect(api.last('ram/create')).toBeDefined())
    expect(api.last('ram/create')?.input).toMatchObject({
      username: 'desk',
      nickname: '小王',
      role_id: 3,
      password: expect.stringMatching(/^.{12}$/),
    })
  })

  it('edits with the account read only, and an empty password', async () => {
    const { api } = open([ram()], { 'ram/edit': { msg: '修改成功', data: null } })
    await userEvent.click((await findRow()).getByRole('button', { name: /^编辑/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '编辑子账号' }))
    expect(dialog.queryByLabelText(/^账号/)).toBeNull()
    expect(dialog.getByText('desk@qiming')).not.toBeNull()
    const nickname = dialog.getByLabelText(/^昵称/)
    await userEvent.clear(nickname)
    await userEvent.type(nickname, '夜班小王')
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(api.last('ram/edit')).toBeDefined())
    expect(api.last('ram/edit')?.input).toEqual({ id: 7, role_id: 3, nickname: '夜班小王', password: '' })
  })

  it('shows a refusal on its field', async () => {
    const refused = { code: 422, msg: '该角色不存在或已被删除，请重新选择', data: { field: 'role_id' } }
    open([ram()], { 'ram/edit': refused })
    await userEvent.click((await findRow()).getByRole('button', { name: /^编辑/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '编辑子账号' }))
    await userEvent.type(dialog.getByLabelText(/^昵称/), '二')
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    expect((await dialog.findByRole('alert')).textContent).toBe(refused.msg)
  })
})

describe('directory 2 · actions of a sub-account', () => {
  it('disables after a confirmation, and enables at once', async () => {
    const { api } = open([ram(), ram({ id: 8, username: 'night', status: 0 })], {
      'ram/disable': { data: null, msg: '设置成功' },
      'ram/enable': { data: null, msg: '设置成功' },
    })
    await chooseAction(await findRow(), '停用')
    await userEvent.click(await screen.findByRole('button', { name: '停用子账号' }))
    expect(await screen.findByText('已停用子账号“desk@qiming”')).not.toBeNull()
    expect(api.last('ram/disable')?.input).toEqual({ id: 7 })
    await chooseAction(await findRow('night'), '启用')
    expect(await screen.findByText('已启用子账号“night@qiming”')).not.toBeNull()
  })

  it('signs out one that is signed in', async () => {
    const { api } = open([ram()], { 'ram/end_sessions': { data: null, msg: '' } })
    await chooseAction(await findRow(), '强制下线')
    await userEvent.click(await screen.findByRole('button', { name: '强制下线' }))
    await waitFor(() => expect(api.last('ram/end_sessions')?.input).toEqual({ id: 7 }))
  })

  it('does not sign out one that is not', async () => {
    open([ram({ session_count: 0 })])
    const blocked = await findAction(await findRow(), '强制下线')
    expect(blocked.getAttribute('aria-disabled')).toBe('true')
  })

  it('asks before it deletes', async () => {
    const { api } = open([ram()], { 'ram/delete': { data: null, msg: '删除成功' } })
    await chooseAction(await findRow(), '删除')
    expect(await screen.findByText(/是否确定删除\?/)).not.toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: '删除子账号' }))
    await waitFor(() => expect(api.last('ram/delete')?.input).toEqual({ id: 7 }))
  })

  it('opens the log of the last 7 days, and reads another range', async () => {
    const line = {
      module: 'network',
      module_name: '组网',
      action: 'edit',
      action_name: '修改',
      message: '修改组网“总部”',
      create_time: Date.parse('2026-01-03T02:00:00Z'),
    }
    const { api } = open([ram()], { 'ram/log': { data: [line], count: 1 } })
    await userEvent.click((await findRow()).getByRole('button', { name: 'desk 的操作日志' }))
    const dialog = within(await screen.findByRole('dialog', { name: '操作日志 desk' }))
    for (const text of ['组网', '修改', '修改组网“总部”', '2026-01-03 10:00:00'])
      expect(await dialog.findByText(text)).not.toBeNull()
    const first = api.last('ram/log')?.input as Record<string, string>
    const days = (Date.parse(first['end_time']!) - Date.parse(first['start_time']!)) / 86_400_000
    expect(days).toBe(6)
    await userEvent.click(dialog.getByRole('button', { name: '近30天' }))
    await waitFor(() => expect(api.last('ram/log')?.input).not.toMatchObject({ start_time: first['start_time'] }))
  })
})
