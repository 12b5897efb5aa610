import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LdapPage } from '#pages/ldap/overview/ldap-page.tsx'
import { HASH, LDAP_CONFIG, LDAP_REPLIES } from '#tests/support/ldap-replies.ts'
import { findAction } from '../lib/row-menu.ts'
import { openPage } from '../network/open-page.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T02:00:00Z') })
  return () => vi.useRealTimers()
})

const open = (over: Parameters<typeof openPage>[2] = {}, address = '/router/ldap') =>
  openPage(<LdapPage />, address, { ...LDAP_REPLIES, ...over })
const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }))
const chooseMore = async (label: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'LDAP接入 的更多操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: label }))
}
const confirmation = () => screen.findByRole('alertdialog')
const STATUS = LDAP_REPLIES['ldap/sync_status'].data
const withRun = (run: object) => ({ 'ldap/sync_status': { data: { ...STATUS, run: { ...STATUS.run, ...run } } } })

describe('directory 2 · the directory', () => {
  it('says what it is for while none is connected', async () => {
    const { router } = open({ 'ldap/config': { data: null } })
    await userEvent.click(await screen.findByRole('button', { name: '启用LDAP接入' }))
    expect(router.state.location).toMatchObject({ pathname: '/router/ldap_edit', search: '?ldapType=create' })
  })

  it('shows the configuration without its password, and the sentences about it', async () => {
    open()
    expect(await screen.findByText('ldap.acme.example')).toBeTruthy()
    expect(screen.getByText('******')).toBeTruthy()
    expect(screen.getByText('服务器证书将在30天内到期').closest('[role="alert"]')).not.toBeNull()
  })

  it('keeps the runs in sight once it is closed, and the closing can be undone there', async () => {
    const [first] = LDAP_REPLIES['ldap/runs'].data
    const closed = { ...first, id: 'c1', kind: 'close', can_undo: 1 }
    const { api } = open({
      'ldap/config': { data: null },
      'ldap/runs': { data: [closed], count: 1 },
      'ldap/undo': {
        msg: 'LDAP接入已恢复，恢复 3，未恢复 1：名称已被占用',
        data: { restored: 3, unchanged: 0, reopened: 1, left: 1 },
      },
    })
    const runs = within((await screen.findByRole('heading', { name: '同步记录' })).closest('section')!)
    await userEvent.click(await runs.findByRole('button', { name: /撤销/ }))
    await userEvent.click(within(await confirmation()).getByRole('button', { name: '撤销' }))
    await waitFor(() => expect(api.last('ldap/undo')?.input).toEqual({ id: 'c1' }))
    const said = await screen.findByText('LDAP接入已恢复，恢复 3，未恢复 1：名称已被占用')
    expect(said.closest('.nl-toast-warn')).not.toBeNull() // a part of it alone
  })

  it('shows no empty list of runs where there never was one', async () => {
    open({ 'ldap/config': { data: null }, 'ldap/runs': { data: [], count: 0 } })
    await screen.findByRole('button', { name: '启用LDAP接入' })
    expect(screen.queryByRole('heading', { name: '同步记录' })).toBeNull()
  })

  it('offers to undo a closing in its toast', async () => {
    const { api } = open({
      'ldap/delete': { msg: '关闭成功', data: { id: 'c1' } },
      'ldap/undo': { msg: 'LDAP接入已恢复，恢复 3', data: { restored: 3, unchanged: 0, reopened: 1, left: 0 } },
    })
    await screen.findByText('ldap.acme.example')
    await chooseMore('关闭LDAP接入')
    const dialog = within(await confirmation())
    await userEvent.type(dialog.getByRole('textbox'), '3')
    api.set('ldap/config', { data: null })
    await userEvent.click(dialog.getByRole('button', { name: '关闭接入' }))
    const toast = within((await screen.findByText('关闭成功')).closest<HTMLElement>('.nl-toast')!)
    await screen.findByRole('button', { name: '启用LDAP接入' }) // the page has gone
    await userEvent.click(toast.getByRole('button', { name: '撤销' }))
    await waitFor(() => expect(api.last('ldap/undo')?.input).toEqual({ id: 'c1' }))
    expect(await screen.findByText('LDAP接入已恢复，恢复 3')).toBeTruthy()
    expect(screen.queryByText('关闭成功')).toBeNull()
  })

  it('lists of an undo whom it did not restore, and why', async () => {
    const [first] = LDAP_REPLIES['ldap/runs'].data
    const undone = {
      ...first,
      kind: 'undo',
      can_undo: 0,
      counts: { ...STATUS.service.written, added: 2 },
      left: 1,
      left_reason: '名称已被占用',
    }
    open({ 'ldap/runs': { data: [undone], count: 1 } })
    expect(await screen.findByText('新增 2，未恢复 1：名称已被占用')).toBeTruthy()
  })

  it('only shows the users while the synchronisation is automatic, also by the address', async () => {
    open(
      { 'ldap/config': { ...LDAP_REPLIES['ldap/config'], data: { ...LDAP_CONFIG, sync_mode: 2 } } as object },
      '/router/ldap?users=1',
    )
    const dialog = within(await screen.findByRole('dialog', { name: '同步用户' }))
    await dialog.findByRole('row', { name: /lisi/ })
    expect(dialog.getByText(/当前为自动同步/)).toBeTruthy()
    for (const name of ['全部导入', '全部移除', /lisi.*导入|导入.*lisi/, /wangwu.*删除|删除.*wangwu/])
      expect(dialog.queryByRole('button', { name })).toBeNull()
    expect(dialog.queryByRole('checkbox')).toBeNull()
    expect(dialog.getByRole('button', { name: '读取目录' })).toBeTruthy()
  })

  it('offers another try where the configuration cannot be read', async () => {
    const { api } = open({ 'ldap/config': { code: 500, msg: '服务暂时不可用' } })
    const retry = await screen.findByRole('button', { name: '重试' })
    api.set('ldap/config', LDAP_REPLIES['ldap/config'])
    await userEvent.click(retry)
    expect(await screen.findByText('ldap.acme.example')).toBeTruthy()
  })

  it('hides 同步用户 while the synchronisation is automatic', async () => {
    open({ 'ldap/config': { ...LDAP_REPLIES['ldap/config'], data: { ...LDAP_CONFIG, sync_mode: 2 } } as object })
    await screen.findByText('ldap.acme.example')
    expect(screen.queryByRole('button', { name: '同步用户' })).toBeNull()
    expect(screen.getByRole('button', { name: '立即同步' })).toBeTruthy()
  })

  it.each([
    [{}, '正常'],
    [{ state: 'asking', phase: 'asking', stop: 'many' }, '警告'],
  ] as const)('a run %j of an automatic synchronisation is %s', async (run, word) => {
    open({
      'ldap/config': { ...LDAP_REPLIES['ldap/config'], data: { ...LDAP_CONFIG, sync_mode: 2 } } as object,
      ...withRun(run),
    })
    expect(await screen.findByText(word)).toBeTruthy()
  })

  it.each([
    [1, {}, '成功2026-11-20 09:00:00demo01'],
    [0, {}, '失败2026-11-20 09:00:00demo01'],
    [1, { state: 'running', phase: 'listing' }, '2026-11-20 09:00:00demo01'],
  ] as const)('one by hand says when and by whom it was read last (status %d, run %j)', async (status, run, text) => {
    const service = { ...STATUS.service, status }
    open({ 'ldap/sync_status': { data: { ...STATUS, service, run: { ...STATUS.run, ...run } } } })
    const name = await screen.findByText('上次读取')
    expect(name.nextElementSibling?.textContent).toBe(text)
    expect(screen.queryByText('自动同步')).toBeNull()
  })

  it('shows a fault with its reason, and that nobody was changed', async () => {
    const service = { ...STATUS.service, status: 0, message: '目录服务器的证书已过期' }
    open({ 'ldap/sync_status': { data: { ...STATUS, service } } })
    expect(await screen.findByText(/目录服务器的证书已过期。成员未作改动。/)).toBeTruthy()
    expect(screen.getByText('上次读取').nextElementSibling?.textContent).toContain('失败')
  })

  it('says what a run had written that failed midway, and that it can be undone', async () => {
    const written = { ...STATUS.service.written, added: 100, disabled: 1 }
    const service = { ...STATUS.service, status: 0, message: '同步超过120秒没有进展', written }
    const [, failed] = LDAP_REPLIES['ldap/runs'].data
    const midway = { ...failed, kind: 'sync', counts: written, can_undo: 1 }
    open({
      'ldap/sync_status': { data: { ...STATUS, service } },
      'ldap/runs': { data: [midway], count: 1 },
    })
    await screen.findByText('同步超过120秒没有进展。已新增 100，停用 1，其余成员未作改动，可在同步记录中撤销。')
    await screen.findByText('无法连接到目录服务器（已新增 100，停用 1）')
    expect(row('已新增').getByRole('button', { name: /撤销/ })).toBeTruthy()
  })

  it('counts a run that works', async () => {
    open(withRun({ state: 'running', phase: 'writing', done: 3, total: 10 }))
    const bar = await screen.findByRole('progressbar', { name: '目录同步' })
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual(['3', '10'])
    expect(screen.getByText('正在写入成员')).toBeTruthy()
    expect(screen.getByRole('button', { name: '读取目录' })).toHaveProperty('disabled', true)
  })

  it('a run that stopped goes on after a confirmation that names the number', async () => {
    const { api } = open({
      ...withRun({ state: 'asking', phase: 'asking', stop: 'share', counts: { ...STATUS.run.counts, disabled: 12 } }),
      'ldap/confirm': { msg: '已接受' },
    })
    await userEvent.click(await screen.findByRole('button', { name: '确认停用' }))
    const dialog = within(await confirmation())
    expect(dialog.getByText('停用 12 个成员并继续同步？')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '停用 12 个成员' }))
    await waitFor(() => expect(api.last('ldap/confirm')?.input).toEqual({ hash: HASH }))
  })

  it('removes who is disabled in the directory after a question, and not before', async () => {
    const { api } = open({ 'ldap/remove_disable': { msg: '删除成功' } })
    await userEvent.click(await screen.findByRole('button', { name: '移除禁用成员' }))
    const dialog = within(await confirmation())
    expect(
      dialog.getByText('是否一键移除禁用成员? 由目录导入、目录中已禁用的成员会被删除，24小时内可在同步记录中撤销。'),
    ).toBeTruthy()
    expect(api.last('ldap/remove_disable')).toBeUndefined()
    await userEvent.click(dialog.getByRole('button', { name: '移除' }))
    expect(await screen.findByText('删除成功')).toBeTruthy()
    expect(api.last('ldap/remove_disable')).toMatchObject({ method: 'POST', input: {} })
  })

  it('closes after the number of its members is typed', async () => {
    const { api } = open({ 'ldap/delete': { msg: '关闭成功' } })
    await screen.findByText('3 个')
    await chooseMore('关闭LDAP接入')
    const dialog = within(await confirmation())
    expect(dialog.getByText(/是否关闭LDAP接入功能？/)).toBeTruthy()
    const verb = dialog.getByRole('button', { name: '关闭接入' })
    expect(verb).toHaveProperty('disabled', true)
    await userEvent.type(dialog.getByRole('textbox'), '3')
    await userEvent.click(verb)
    await waitFor(() => expect(api.last('ldap/delete')?.input).toEqual({ confirm: 3 }))
  })

  it('sends a sync mode that was changed, and only once for a double click', async () => {
    const { api } = open({ 'ldap/sync_mode': { msg: '设置成功' } })
    const openDialog = async () => {
      await chooseMore('设置同步方式')
      return within(await screen.findByRole('dialog'))
    }
    await userEvent.click((await openDialog()).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.last('ldap/sync_mode')).toBeUndefined()
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('radio', { name: '自动同步' }))
    await userEvent.dblClick(dialog.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(api.last('ldap/sync_mode')?.input).toEqual({ sync_mode: 2 }))
    expect(api.paths().filter((path) => path === 'ldap/sync_mode')).toHaveLength(1)
  })

  it('lists a run that asks as such, with how many it would disable', async () => {
    const [first] = LDAP_REPLIES['ldap/runs'].data
    const asking = { ...first, kind: 'sync', state: 'asking', can_undo: 0, counts: { ...first!.counts, disabled: 12 } }
    open({ 'ldap/runs': { data: [asking], count: 1 } })
    expect(await screen.findByRole('row', { name: /同步\s*等待确认\s*将停用 12\s*demo01/ })).toBeTruthy()
  })

  it('takes back what was done, for a day', async () => {
    const { api } = open({ 'ldap/undo': { msg: '恢复成功' } })
    await screen.findByRole('row', { name: /demo01/ })
    expect(row('自动').queryByRole('button')).toBeNull()
    await userEvent.click(row('demo01').getByRole('button', { name: /撤销/ }))
    await userEvent.click(within(await confirmation()).getByRole('button', { name: '撤销' }))
    await waitFor(() => expect(api.last('ldap/undo')?.input).toEqual({ id: 'r1' }))
  })
})

describe('directory 2 · member sync list', () => {
  const APPLIED = {
    ...STATUS.run.counts,
    outside: 0,
    reason: '',
    result: [{ uuid: 'u2', ok: 0, msg: '成员名称已被占用' }],
  }

  it('opens by its address, and offers what each row allows', async () => {
    open({}, '/router/ldap?users=1')
    await screen.findByRole('row', { name: /zhangsan/ })
    expect(row('zhangsan').queryByRole('button', { name: /导入|删除/ })).toBeNull()
    expect(row('lisi').getByRole('button', { name: /导入/ })).toBeTruthy()
    expect(await findAction(row('wangwu'), '删除')).toBeTruthy()
  })

  it('imports one of the listing that is shown, and says who was refused and why', async () => {
    const { api } = open({ 'ldap/import': { data: APPLIED, msg: '导入成功' } }, '/router/ldap?users=1')
    await screen.findByRole('row', { name: /lisi/ })
    await userEvent.click(row('lisi').getByRole('button', { name: /导入/ }))
    await userEvent.click(within(await confirmation()).getByRole('button', { name: '导入' }))
    await waitFor(() => expect(api.last('ldap/import')?.input).toEqual({ hash: HASH, uuid: ['u2'] }))
    expect(await screen.findByText('成员名称已被占用')).toBeTruthy()
  })

  it('says how many have not joined the network and why, also in the list of runs', async () => {
    const applied = { ...APPLIED, added: 5, conflicts: 0, outside: 2, reason: '组网成员已满', result: [] }
    const [first] = LDAP_REPLIES['ldap/runs'].data
    const run = { ...first, counts: { ...STATUS.service.written, added: 5 }, outside: 2, reason: '组网成员已满' }
    open({ 'ldap/import_all': { data: applied }, 'ldap/runs': { data: [run], count: 1 } }, '/router/ldap?users=1')
    await screen.findByText('新增 5，2 个未加入组网：组网成员已满')
    await userEvent.click(screen.getByRole('button', { name: '全部导入' }))
    await userEvent.click(within(await confirmation()).getByRole('button', { name: '导入' }))
    expect(await screen.findByText('已导入 5 个用户，2 个未加入组网：组网成员已满')).toBeTruthy()
  })

  it.each([
    ['全部导入', '导入', 'ldap/import_all', /^导入后成为软件成员/, '已导入 2 个用户，1 个不能导入，原因见检查结果'],
    ['全部移除', '移除', 'ldap/remove_all', /^是否确定删除\? /, '已移除 1 个成员'],
  ] as const)('%s is asked first, and says what it did', async (button, verb, path, body, outcome) => {
    const { api } = open({ [path]: { data: { ...APPLIED, result: [] } } }, '/router/ldap?users=1')
    await screen.findByRole('row', { name: /lisi/ })
    await userEvent.click(screen.getByRole('button', { name: button }))
    const dialog = within(await confirmation())
    expect(api.last(path)).toBeUndefined()
    expect(dialog.getByText(body)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: verb }))
    await waitFor(() => expect(api.last(path)?.input).toEqual({ hash: HASH }))
    expect(await screen.findByText(outcome)).toBeTruthy()
  })

  it('stays open where the listing is no longer the newest, and reads it again', async () => {
    const { api } = open(
      { 'ldap/import_all': { code: 204, msg: '目录数据已更新，请刷新后重试' } },
      '/router/ldap?users=1',
    )
    await screen.findByRole('row', { name: /lisi/ })
    const reads = () => api.paths().filter((path) => path === 'ldap/user').length
    const before = reads()
    await userEvent.click(screen.getByRole('button', { name: '全部导入' }))
    await userEvent.click(within(await confirmation()).getByRole('button', { name: '导入' }))
    await waitFor(() => expect(reads()).toBeGreaterThan(before))
    expect(screen.getByRole('dialog', { name: '同步用户' })).toBeTruthy()
    expect(screen.getByText('目录数据已更新，请刷新后重试')).toBeTruthy()
    await userEvent.click(within(await confirmation()).getByRole('button', { name: '取消' }))
  })

  it('asks the server for the text and for who is imported', async () => {
    const { api } = open({}, '/router/ldap?users=1')
    await screen.findByRole('row', { name: /lisi/ })
    await userEvent.type(screen.getByRole('textbox', { name: '搜索成员名称或备注' }), '李')
    await waitFor(() => expect(api.last('ldap/user')?.input).toMatchObject({ search: '李', exist: '' }))
    await userEvent.click(screen.getByRole('button', { name: /^未导入/ }))
    await waitFor(() => expect(api.last('ldap/user')?.input).toMatchObject({ search: '李', exist: '0' }))
  })
})

describe('directory 2 · the plan', () => {
  it('opens at the first kind that has somebody', async () => {
    const plan = { ...LDAP_REPLIES['ldap/plan'].data, added: 0, changed: 0 }
    const { api } = open({ 'ldap/plan': { ...LDAP_REPLIES['ldap/plan'], data: plan } })
    await userEvent.click(await screen.findByRole('button', { name: '查看同步计划' }))
    const dialog = within(await screen.findByRole('dialog', { name: '同步计划' }))
    await waitFor(() => expect(api.last('ldap/plan')?.input).toMatchObject({ kind: 'disabled', page: '1' }))
    expect(dialog.getByRole('button', { name: /^停用/ }).getAttribute('aria-pressed')).toBe('true')
  })

  it('names who would be changed, by kind, and is done after a confirmation', async () => {
    const { api } = open({ 'ldap/sync': { data: { ...STATUS.run.counts, result: [] } } })
    await userEvent.click(await screen.findByRole('button', { name: '查看同步计划' }))
    const dialog = within(await screen.findByRole('dialog', { name: '同步计划' }))
    expect(await dialog.findByRole('row', { name: /lisi/ })).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: /^停用/ }))
    await waitFor(() => expect(api.last('ldap/plan')?.input).toMatchObject({ kind: 'disabled', page: '1' }))
    await userEvent.click(dialog.getByRole('button', { name: '执行同步' }))
    const asked = within(await confirmation())
    expect(asked.getByText(/将新增 2，更新 1，停用 1。/)).toBeTruthy()
    await userEvent.click(asked.getByRole('button', { name: '执行同步' }))
    await waitFor(() => expect(api.last('ldap/sync')?.input).toEqual({ hash: HASH }))
  })
})
