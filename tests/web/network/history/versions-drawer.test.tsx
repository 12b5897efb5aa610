import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { chooseAction } from '#tests/web/lib/row-menu.ts'
import { createImpact } from '../impact.ts'
import { findHead, open } from '../open-network.tsx'

const version = (n: number, changes: readonly object[] = []) => ({
  version: n,
  at: 1_800_000_000_000,
  actor: 'demo01',
  changes,
})
const change = (title: string, old: string, next: string) => ({ title, old, new: next })
const VERSIONS = {
  data: [
    version(3, [change('DNS', '10.0.0.53', '未设置'), change('p1 · 动态路由', '关闭', '开启')]),
    version(2, [change('DNS', '未设置', '10.0.0.53')]),
    { ...version(1), actor: '' },
  ],
  revision: 7,
}
async function openDrawer(handlers: object, user: object = {}) {
  const page = open(handlers, user)
  await chooseAction(await findHead(), '历史')
  return { ...page, drawer: within(await screen.findByRole('dialog', { name: '历史' })) }
}

describe('历史', () => {
  it('lists who changed what, old and new; all but the newest can be restored', async () => {
    const { drawer } = await openDrawer({ 'network/versions': VERSIONS })
    const rows = within(await drawer.findByRole('list', { name: '历史版本' })).getAllByRole('listitem')
    expect(rows).toHaveLength(3)
    const [newest, second, first] = rows.map((row) => within(row))
    expect(newest!.queryByText('版本 3（当前）')).not.toBeNull()
    expect(newest!.queryByText('p1 · 动态路由')).not.toBeNull()
    expect(newest!.queryByRole('button')).toBeNull()
    second!.getByText('10.0.0.53')
    second!.getByRole('button', { name: '恢复到版本 2' })
    first!.getByText('此前的配置')
  })

  it('restores a version with the revision that was read, and follows the roll-out', async () => {
    const { api, drawer } = await openDrawer({
      'network/versions': VERSIONS,
      'network/restore': { data: { skipped: ['路由方式：主路由或备路由已不是该组网的中心点'] } },
      'network/impact': { data: createImpact({ routers: 3, offline: 1 }) },
    })
    await userEvent.click(await drawer.findByRole('button', { name: '恢复到版本 2' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: '恢复“总部互联”到版本 2？' }))
    await dialog.findByText('保存后更新 3 台设备，其中 1 台离线，上线后下发')
    expect(api.last('network/impact')?.input).toMatchObject({ call: 'restore', input: { version: 2 } })
    await userEvent.click(dialog.getByRole('button', { name: '恢复' }))
    await screen.findByText(/部分配置未恢复：路由方式/)
    expect(api.last('network/restore')?.input).toEqual({ network_number: 'N1', version: 2, revision: 7, pack: 0 })
    await waitFor(() => expect(screen.queryByRole('dialog', { name: '历史' })).toBeNull())
    await screen.findByText(/已保存，正在确认需要下发的设备/)
    await userEvent.click(screen.getAllByRole('button', { name: '关闭提示' }).at(-1)!)
  })

  it('asks again where devices get new addresses', async () => {
    let packs = 0
    const { api, drawer } = await openDrawer({
      'network/versions': VERSIONS,
      'network/restore': () =>
        packs++ === 0
          ? { code: 423, reason: 'HOSTS_OUTSIDE', msg: '将为 3 台设备重新分配地址' }
          : { data: { skipped: [] } },
    })
    await userEvent.click(await drawer.findByRole('button', { name: '恢复到版本 2' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '恢复' }))
    await screen.findByText('将为 3 台设备重新分配地址')
    await userEvent.click(screen.getByRole('button', { name: '重新分配地址并恢复' }))
    await waitFor(() => expect(api.last('network/restore')?.input).toMatchObject({ pack: 1 }))
    await userEvent.click(await screen.findByRole('button', { name: '关闭提示' }))
  })

  it('a refusal stays in the question', async () => {
    const { drawer } = await openDrawer({
      'network/versions': VERSIONS,
      'network/restore': { code: 422, msg: '网段 10.8.0.0/24 已被占用' },
    })
    await userEvent.click(await drawer.findByRole('button', { name: '恢复到版本 2' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    await userEvent.click(dialog.getByRole('button', { name: '恢复' }))
    await dialog.findByText('网段 10.8.0.0/24 已被占用')
  })

  it('says that there is nothing yet', async () => {
    const { drawer } = await openDrawer({ 'network/versions': { data: [], revision: 1 } })
    await drawer.findByText('还没有修改记录')
  })

  it('a failure can be tried again', async () => {
    const { drawer } = await openDrawer({ 'network/versions': { code: 500, msg: '服务异常' } })
    await drawer.findByRole('button', { name: '重试' })
  })

  it('a role that may only look sees no button', async () => {
    const viewer = await openDrawer({ 'network/versions': VERSIONS }, { ram: 1, flags: [] })
    await viewer.drawer.findByText('版本 2')
    expect(viewer.drawer.queryByRole('button', { name: '恢复到版本 2' })).toBeNull()
  })
})
