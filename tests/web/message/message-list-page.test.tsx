import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { MessageListPage } from '#pages/message/message-list-page.tsx'
import { readLinkedName } from '#lib/linked-name.ts'
import { useUser } from '#lib/session/session.ts'
import { chooseAction } from '../lib/row-menu.ts'
import { openPage } from '../network/open-page.tsx'

const AT = Date.parse('2026-11-20T02:00:00Z')
const message = (id: number, over: object = {}) => ({
  message_id: id,
  title: `消息${id}`,
  create_time: AT,
  type: '系统',
  status: 0,
  network_number: '',
  network_name: '',
  router_name: '',
  router_note: '',
  ticket_number: '',
  ...over,
})
const ROWS = [
  message(3, { type: '告警', network_number: 'N1', network_name: '总部互联', router_name: 'NL1', router_note: '上海' }),
  message(2, { type: '告警', router_name: 'li.na@qiming' }),
  message(1, { status: 1 }),
]
const LIST = { data: ROWS, count: 3, total: 3, unread: 2, newest: 3 }
const Badge = () => <output aria-label="badge">{useUser().message_count}</output>
const open = (handlers = {}, query = '') =>
  openPage(
    <>
      <MessageListPage />
      <Badge />
    </>,
    `/account/message${query}`,
    { 'message/lists': LIST, ...handlers },
  )
const findRow = async (name: string) => within((await screen.findByRole('button', { name })).closest('tr')!)
const select = async (name: string) => userEvent.click((await findRow(name)).getByRole('checkbox'))
/** A verb of the page; the last one stands behind ⋯. */
const press = async (label: string) => userEvent.click(await screen.findByRole('button', { name: label }))
const answer = async (verb: string) => {
  const dialog = await screen.findByRole('alertdialog')
  await userEvent.click(within(dialog).getByRole('button', { name: verb }))
}

describe('account 2 · messages', () => {
  it('the links of an opened one carry the names of their objects', async () => {
    const { router } = open({ 'message/info': { data: { ...ROWS[0], content: '内容' } } })
    await userEvent.click(await screen.findByRole('button', { name: '消息3' }))
    await userEvent.click(await within(await screen.findByRole('dialog')).findByRole('link', { name: '上海' }))
    expect(router.state.location.pathname).toBe('/router/detail')
    expect(readLinkedName(router.state.location.state)).toBe('上海')
  })

  it('shows type, state and what each is about; the header takes the unread number', async () => {
    open()
    const first = await findRow('消息3')
    expect(first.getByText('告警')).not.toBeNull()
    expect(first.getByText('未读')).not.toBeNull()
    expect(first.getByRole('link', { name: '总部互联' }).getAttribute('href')).toBe(
      `/network/detail?network_number=N1&at=${AT}`, // as it was when the alert was raised
    )
    const software = (await findRow('消息2')).getByRole('link', { name: 'li.na@qiming' })
    expect(software.getAttribute('href')).toContain('/router/lists?type=2')
    expect((await findRow('消息1')).getByText('已读')).not.toBeNull()
    expect(screen.getByText('共 3 条，未读 2 条，保留 180 天')).not.toBeNull()
    await waitFor(() => expect(screen.getByRole('status', { name: 'badge' }).textContent).toBe('2'))
  })

  it('of another type opens its object as it is now', async () => {
    const row = message(4, { network_number: 'N1', network_name: '总部互联' })
    open({ 'message/lists': { ...LIST, data: [row] } })
    const link = (await findRow('消息4')).getByRole('link', { name: '总部互联' })
    expect(link.getAttribute('href')).toBe('/network/detail?network_number=N1')
  })

  it('about a ticket opens the ticket, from the list and from the dialog', async () => {
    const row = message(5, { type: '工单', ticket_number: 'T20261120000001' })
    open({
      'message/lists': { ...LIST, data: [row] },
      'message/info': { data: { ...row, status: 1, content: '有新的回复' } },
    })
    const name = '工单 T20261120000001'
    const address = '/ticket/detail?ticket_number=T20261120000001'
    expect((await findRow('消息5')).getByRole('link', { name }).getAttribute('href')).toBe(address)
    await press('消息5')
    const dialog = await screen.findByRole('dialog', { name: '消息5' })
    expect((await within(dialog).findByRole('link', { name })).getAttribute('href')).toBe(address)
  })

  it('says 10000+ where the server stopped to count', async () => {
    open({ 'message/lists': { ...LIST, count: 10_000, capped: 1, total: 10_001 } })
    expect(await screen.findByText('共 10000+ 条，未读 2 条，保留 180 天')).not.toBeNull()
    expect(screen.getByText('共 10000+ 条，第 1 / 1000 页')).not.toBeNull()
    await press('我的消息 的更多操作')
    await userEvent.click(await screen.findByRole('menuitem', { name: '删除全部' }))
    expect(await screen.findByText(/^共 10000\+ 条，包括/)).not.toBeNull()
    await answer('取消')
  })

  it('sends the filters of its address', async () => {
    const { api } = open({}, '?type=告警&unread=1&page=2')
    await findRow('消息3')
    expect(api.last('message/lists')?.input).toMatchObject({ type: '告警', unread: '1', page: '2' })
  })

  it('an unknown type in the address is all', async () => {
    const { api } = open({}, '?type=x')
    await findRow('消息3')
    expect(api.last('message/lists')?.input).toMatchObject({ type: '' })
  })

  it('opens a message, which is read then: the list is read again', async () => {
    const { api } = open({ 'message/info': { data: { ...ROWS[0], status: 1, content: '成员离线' } } })
    await press('消息3')
    const dialog = await screen.findByRole('dialog', { name: '消息3' })
    expect(await within(dialog).findByText('成员离线')).not.toBeNull()
    expect(within(dialog).getByRole('link', { name: '上海' }).getAttribute('href')).toBe(
      `/router/detail?router_name=NL1&at=${AT}`,
    )
    expect(api.last('message/info')?.input).toEqual({ message_id: '3' })
    await waitFor(() => expect(api.paths().filter((path) => path === 'message/lists').length).toBeGreaterThan(1))
  })

  it('says in the dialog where a message is gone', async () => {
    open({ 'message/info': { code: 204, msg: '消息不存在或已被删除' } })
    await press('消息3')
    expect(await within(await screen.findByRole('dialog')).findByText('消息不存在或已被删除')).not.toBeNull()
  })
})

describe('account 5, 8 · bulk actions', () => {
  it.each(['标记已读', '删除'])('%s needs a selection', async (label) => {
    const { api } = open()
    await findRow('消息3')
    await press(label)
    expect(await screen.findByText('请选择消息标题')).not.toBeNull()
    expect(api.paths()).not.toContain('message/update_message')
  })

  it.each([
    ['标记已读（2）', '您确定要将选中的 2 条消息标记为已读吗？', '标记已读', 'message/update_message'],
    ['删除（2）', '您确定要删除选中的 2 条消息吗？', '删除', 'message/delete_message'],
  ])('%s asks, acts on the selected and clears the selection', async (label, question, verb, path) => {
    const { api } = open({ [path]: { msg: '完成' } })
    await select('消息3')
    await select('消息1')
    await press(label)
    expect(await screen.findByText(question)).not.toBeNull()
    await answer(verb)
    await waitFor(() => expect(api.last(path)?.input).toEqual({ message_id: [3, 1] }))
    expect(await screen.findByRole('button', { name: label.replace('（2）', '') })).not.toBeNull()
  })

  it('全部已读 names the newest message that it knew', async () => {
    const { api } = open({ 'message/update_message': { msg: '设置成功' } })
    await findRow('消息3')
    await press('全部已读')
    expect(await screen.findByText('你确定将全部消息标记为已读吗')).not.toBeNull()
    await answer('全部已读')
    await waitFor(() => expect(api.last('message/update_message')?.input).toEqual({ type: 'all', newest: 3 }))
  })

  it('删除全部 says how many, also those that are not shown', async () => {
    const { api } = open({ 'message/delete_message': { msg: '删除成功' } }, '?type=告警')
    await findRow('消息3')
    await press('我的消息 的更多操作')
    await userEvent.click(await screen.findByRole('menuitem', { name: '删除全部' }))
    expect(await screen.findByText('你确定删除全部消息吗')).not.toBeNull()
    expect(screen.getByText(/共 3 条，包括未显示/)).not.toBeNull()
    await answer('删除全部')
    await waitFor(() => expect(api.last('message/delete_message')?.input).toEqual({ type: 'all', newest: 3 }))
  })

  it('a refusal stays in the confirmation', async () => {
    open({ 'message/delete_message': { code: 204, msg: '消息不存在或已被删除' } })
    await chooseAction(await findRow('消息3'), '删除')
    await answer('删除')
    expect(await within(screen.getByRole('alertdialog')).findByText('消息不存在或已被删除')).not.toBeNull()
  })
})
