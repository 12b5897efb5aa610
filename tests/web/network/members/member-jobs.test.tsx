import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { chooseAction, menuOf } from '#tests/web/lib/row-menu.ts'
import { findRow, info, members, open, status } from '../open-network.tsx'
import { member } from '../member.ts'

const ID = '0'.repeat(32)
const job = (kind: string, state: string, devices: readonly object[] = []) => ({
  data: { job_id: ID, kind, state, devices },
})
const device = (router_name: string, state: string, reason = '') => ({
  router_name,
  router_name_note: '',
  state,
  reason,
})

it('ends the sessions of a member once it is confirmed, and shows the result of each device', async () => {
  const answers = [
    job('kill_user', 'accepted', [device('c1', 'accepted')]),
    job('kill_user', 'failed', [device('c1', 'done'), device('c2', 'failed', '该成员当前没有连接')]),
  ]
  const { api } = open({
    'network/kill_user': { data: { job_id: ID } },
    'network/job': () => (answers.length > 1 ? answers.shift()! : answers[0]!),
  })
  await chooseAction(await findRow(/^p2/), '断开连接')
  const dialog = within(await screen.findByRole('alertdialog', { name: '断开连接“p2”？' }))
  await userEvent.click(dialog.getByRole('button', { name: '断开连接' }))
  await screen.findByText(/“p2”断开连接：已受理/)
  expect(api.last('network/kill_user')?.input).toEqual({ network_number: 'N1', router_name: 'p2' })
  await screen.findByText(/“p2”断开连接：失败/)
  screen.getByText('该成员当前没有连接')
  await userEvent.click(screen.getByRole('button', { name: '关闭提示' }))
  await waitFor(() => expect(screen.queryByText(/断开连接：失败/)).toBeNull())
})

it('names the result of each place, a node by its area', async () => {
  const node = { ...device('NODE-1', 'done', '该成员当前没有连接'), router_name_note: '华东' }
  open({
    'network/kill_user': { data: { job_id: ID } },
    'network/job': job('kill_user', 'done', [device('c1', 'done'), node]),
  })
  await chooseAction(await findRow(/^p2/), '断开连接')
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.click(dialog.getByRole('button', { name: '断开连接' }))
  const notice = within((await screen.findByText(/“p2”断开连接：完成/)).closest('[role=status]')!)
  expect(notice.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'c1：完成',
    '华东：完成 该成员当前没有连接',
  ])
})

it('says that a device runs it once it is back', async () => {
  open({
    'network/reset_respawn': { data: { job_id: ID } },
    'network/job': job('reset_respawn', 'queued', [device('p2', 'queued')]),
  })
  await chooseAction(await findRow(/^p2/), '重启隧道')
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.click(dialog.getByRole('button', { name: '重启隧道' }))
  await screen.findByText(/“p2”重启隧道：设备离线，上线后执行/)
})

it('a refusal stays in the confirmation', async () => {
  open({ 'network/reset_respawn': { code: 422, msg: '设备不支持此操作：p2，请升级后重试' } })
  await chooseAction(await findRow(/^p2/), '重启隧道')
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.click(dialog.getByRole('button', { name: '重启隧道' }))
  await dialog.findByText('设备不支持此操作：p2，请升级后重试')
})

it('a resend of one member is followed in the same way', async () => {
  open({ 'network/re_send_config': { data: { job_id: ID } }, 'network/job': job('resend', 'done') })
  await chooseAction(await findRow(/^p2/), '重新下发')
  await screen.findByText(/“p2”重新下发：完成/)
})

it.each([
  [
    'app@x',
    'a software member, which has no tunnels of its own',
    ['修改备注', '绑定手机', '修改密码', '拨号方式', '断开连接', '移除'],
  ],
  ['c1', 'a centre that dials nobody', ['重新下发', '修改备注', '静态路由', '重启隧道', '移除']],
])('%s: %s', async (name, _, expected) => {
  const list = [...members, member('app@x', { type: 2 })]
  open({ 'network/info': info(list), 'network/status': status(list) })
  await userEvent.click(menuOf(within((await screen.findByText(name)).closest('tr')!)))
  const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent ?? '')
  expect(items).toEqual(expected.map((item) => expect.stringContaining(item)))
})
