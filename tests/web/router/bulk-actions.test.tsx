// The page loads it lazily; no test waits for the import.
import '#pages/router/list/batch/bulk-note-and-network-dialogs.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { createMember } from './fixtures.ts'
import { row } from './list-rows.ts'
import { openPage } from './open-page.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

const LIST = { data: [createMember('NL-A', { note: '上海' }), createMember('NL-B')], count: 2 }
const NETWORKS = { 'network/select': { data: [{ network_number: 'N1', network_name: '总部互联' }] } }
const done = (...msgs: readonly string[]) => ({
  data: {
    done: msgs.filter((msg) => msg === '').length,
    result: ['NL-A', 'NL-B'].map((router_name, i) => ({ router_name, ok: msgs[i] === '' ? 1 : 0, msg: msgs[i] ?? '' })),
  },
})

async function select(handlers = {}, over = {}) {
  const user = userEvent.setup()
  const page = openPage('/router/lists', { 'router/lists': LIST, ...NETWORKS, ...handlers }, over)
  await row('NL-A')
  await user.click(screen.getByRole('checkbox', { name: '选择 上海' }))
  await user.click(screen.getByRole('checkbox', { name: '选择 NL-B' }))
  const press = (name: string) => user.click(screen.getByRole('button', { name }))
  return { ...page, user, press }
}
const cells = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole('row')
    .slice(1)
    .map((found) =>
      within(found)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )
const NAMES = ['NL-A', 'NL-B']

it('gives all of them the same note', async () => {
  const { api, user, press } = await select({ 'router/batch_note': done('', '') })
  await press('修改备注')
  const dialog = within(await screen.findByRole('dialog', { name: '修改 2 个成员的备注' }))
  await user.type(dialog.getByLabelText(/^备注/, { selector: 'input' }), '门店')
  await user.click(dialog.getByRole('button', { name: '保存' }))
  await screen.findByText('修改成功')
  expect(api.last('router/batch_note')?.input).toEqual({ router_name: NAMES, note: '门店' })
  await waitFor(() => expect(screen.queryByText('已选')).toBeNull())
})

it('adds them to a network, and says of each that stays out why', async () => {
  const { api, user, press } = await select({ 'network/batch_add_member': done('', '网段冲突') })
  await press('加入组网')
  const dialog = within(await screen.findByRole('dialog', { name: '将 2 个成员加入组网' }))
  await user.click(dialog.getByRole('button', { name: '加入' }))
  await dialog.findByText('请选择要加入的组网')
  await user.click(dialog.getByRole('combobox', { name: /组网/ }))
  const options = await screen.findAllByText('总部互联')
  await user.click(options.flatMap((text) => text.closest('[role="option"]') ?? []).at(-1)!)
  await user.click(dialog.getByRole('button', { name: '加入' }))
  const shown = await screen.findByRole('dialog', { name: '加入组网的结果' })
  expect(cells(shown)).toEqual([
    ['NL-B', '失败', '网段冲突'],
    ['NL-A', '成功', '—'],
  ])
  expect(within(shown).getByRole('region', { name: '每个成员的结果' }).style.maxHeight).toBe('360px')
  expect(api.last('network/batch_add_member')?.input).toEqual({ network_number: 'N1', router_name: NAMES })
})

it('pushes their configuration again, once confirmed', async () => {
  const { api, press } = await select({ 'router/batch_resend': done('', '') })
  await press('重新下发')
  const dialog = within(await screen.findByRole('alertdialog', { name: '重新下发 2 个成员的配置？' }))
  expect(api.last('router/batch_resend')).toBeUndefined()
  await userEvent.click(dialog.getByRole('button', { name: '重新下发' }))
  await screen.findByText('已重新下发')
  expect(api.last('router/batch_resend')?.input).toEqual({ router_name: NAMES })
})

it('a refusal of all keeps the dialog open', async () => {
  const { press } = await select({ 'router/batch_note': { code: 403, msg: '该成员还在您无权管理的组网中' } })
  await press('修改备注')
  const dialog = within(await screen.findByRole('dialog', { name: '修改 2 个成员的备注' }))
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  await dialog.findByText('该成员还在您无权管理的组网中')
})
