// The page loads these lazily; no test waits for the import.
import '#pages/router/list/batch/batch-add-dialog.tsx'
import '#pages/router/list/batch/batch-delete-dialog.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { UserInfo } from '#contract/account/user-info.ts'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { failing } from '../lib/fake-api.ts'
import { createMember } from './fixtures.ts'
import { row } from './list-rows.ts'
import { type Handlers, openPage } from './open-page.tsx'
import { MEMBER_FILE } from '#contract/router/limits.ts'
import { holdLongTimers } from '#tests/support/web/long-timers.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))
afterEach(() => vi.useRealTimers())

const PEOPLE = { data: [createMember('li.na@qiming'), createMember('wang@qiming')], count: 2 }
const XLSX = new File(['x'], 'members.xlsx')

async function openList(handlers: Handlers = {}, over: Partial<UserInfo> = {}) {
  const user = userEvent.setup()
  const page = openPage('/router/lists?type=2', { 'router/lists': PEOPLE, ...handlers }, over)
  await row('li.na@qiming')
  return { ...page, user }
}

async function openAdd(handlers: Handlers = {}, over: Partial<UserInfo> = {}) {
  const page = await openList(handlers, over)
  await page.user.click(screen.getByRole('button', { name: '批量添加' }))
  const dialog = within(await screen.findByRole('dialog', { name: '批量添加软件成员' }))
  const choose = (file: File) => fireEvent.change(dialog.getByLabelText(/^成员文件/), { target: { files: [file] } })
  return { ...page, dialog, choose, add: () => page.user.click(dialog.getByRole('button', { name: '添加' })) }
}

async function openDelete(handlers: Handlers = {}, selected: readonly string[] = []) {
  const page = await openList(handlers)
  for (const name of selected) await page.user.click((await row(name)).getByRole('checkbox'))
  await page.user.click(screen.getByRole('button', { name: '软件成员 的更多操作' }))
  await page.user.click(await screen.findByRole('menuitem', { name: '批量删除' }))
  const dialog = within(await screen.findByRole('dialog', { name: '批量删除软件成员' }))
  const confirm = async (text: string) => {
    const box = dialog.getByRole('textbox', { name: /确认操作/ })
    await page.user.clear(box)
    await page.user.type(box, text)
    await page.user.click(dialog.getByRole('button', { name: '删除' }))
  }
  return { ...page, dialog, confirm }
}

const shown = async (title: string) => within(await screen.findByRole('dialog', { name: title }))
const cells = (dialog: ReturnType<typeof within>) =>
  dialog
    .getAllByRole('row')
    .slice(1)
    .map((line: HTMLElement) =>
      within(line)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )

it('adds a file and shows what became of each row, failures first', async () => {
  const { api, dialog, user, choose, add } = await openAdd({
    'router/batch': {
      data: {
        msg: '成功添加1个成员，失败1个',
        result: [
          { row: 2, router_name: 'abc', ok: 1, msg: '' },
          { row: 3, router_name: 'li.na', ok: 0, msg: '该账号已存在，请更换' },
        ],
      },
    },
  })
  await add()
  await dialog.findByText('请上传文件')
  choose(new File(['x'], 'old.xlsx'))
  choose(XLSX) // one file is kept
  expect(dialog.queryByText('old.xlsx')).toBeNull()
  await user.click(dialog.getByRole('radio', { name: '只添加正确的行' }))
  await add()
  const result = await shown('批量添加的结果')
  expect(cells(result)).toEqual([
    ['第3行 li.na', '失败', '该账号已存在，请更换'],
    ['第2行 abc', '成功', '—'],
  ])
  expect(result.getByRole('region', { name: '每个成员的结果' }).style.maxHeight).toBe('360px')
  expect(api.last('router/batch')?.input).toMatchObject({
    all: '0',
    network_number: '',
    file: expect.objectContaining({ name: 'members.xlsx' }),
  })
  await user.click(result.getByRole('button', { name: '重新上传' }))
  expect((await shown('批量添加软件成员')).queryByText('members.xlsx')).toBeNull()
})

it('of a file that is refused whole, shows the causes first; a quota among them offers the upgrade', async () => {
  const row = (n: number, msg: string, reason?: string) => ({ row: n, router_name: `a${n}`, ok: 0, msg, reason })
  const { user, choose, add } = await openAdd({
    'router/batch': {
      data: {
        msg: '未添加任何成员，请按结果修改后重试',
        result: [
          row(2, '其他行有误，未添加', 'ROW_LEFT_OUT'),
          row(3, '备注由文字、数字、空格和_.-()·组成，不能包含“/”'),
          row(4, '软件成员数量已达上限50个，请升级', 'SOFTWARE_LIMIT_REACHED'),
        ],
      },
    },
  })
  choose(XLSX)
  await add()
  const result = await shown('批量添加的结果')
  expect(cells(result).map((line: readonly (string | null)[]) => line[0])).toEqual(['第3行 a3', '第4行 a4', '第2行 a2'])
  expect(result.getByRole('alert').textContent).toContain('软件成员数量已达上限50个，请升级')
  await user.click(result.getByRole('button', { name: '立即升级' }))
  expect(await screen.findByText('暂时无法升级')).toBeTruthy()
  await user.click(result.getByRole('button', { name: '暂不升级' }))
  expect(result.queryByRole('alert')).toBeNull()
})

it.each([
  [new File(['x'], 'members.csv'), '文件格式不正确'],
  [new File([new Uint8Array(UPLOAD.maxBytes + 1)], 'members.xlsx'), '文件过大，请上传小于2MB的文件〜'],
])('refuses $name before it is sent', async (file, msg) => {
  const { api, dialog, choose, add } = await openAdd()
  choose(file)
  await dialog.findByText(msg)
  await add()
  expect(api.last('router/batch')).toBeUndefined()
})

it('a refusal shows the server’s sentence and clears the file name', async () => {
  const msg = '前5行中的表头缺少“密码”列，请按模板修改表头后再上传'
  const { api, dialog, choose, add } = await openAdd({
    'router/batch': { code: 422, msg, reason: 'WORKBOOK_HEADER', data: { field: 'file' } },
  })
  choose(XLSX)
  await add()
  await dialog.findByText(msg)
  expect(dialog.queryByText('members.xlsx')).toBeNull()
  api.set('router/batch', failing(new TypeError('failed to fetch')))
  choose(XLSX)
  await add()
  await dialog.findByText('系统异常,请稍候尝试!')
})

it('loading ends after ten seconds, whatever the server does', async () => {
  const { pass } = holdLongTimers(1_000)
  const { dialog, choose, add } = await openAdd({ 'router/batch': () => new Promise(() => {}) })
  choose(XLSX)
  await add()
  const cancel = () => dialog.getByRole<HTMLButtonElement>('button', { name: '取消' })
  await waitFor(() => expect(cancel().disabled).toBe(true))
  await pass(MEMBER_FILE.resetMs)
  expect(cancel().disabled).toBe(false)
})

it('a role limited to networks chooses one for them', async () => {
  const { dialog } = await openAdd(
    { 'network/select': { data: [{ network_number: 'N1', network_name: '华东' }] } },
    { ram: 1, flags: ['router:create'], networks: ['N1'] },
  )
  expect(dialog.queryByText('加入组网')).not.toBeNull()
})

it('downloads templates and the export', async () => {
  const name = encodeURIComponent('模板.xlsx')
  const file = () => new Response('x', { headers: { 'content-disposition': `attachment; filename*=UTF-8''${name}` } })
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
  const { api, user, dialog } = await openAdd({ 'router/software_template': file, 'router/export': file })
  await user.click(dialog.getByRole('button', { name: '下载模板' }))
  await waitFor(() => expect(api.last('router/software_template')).toBeDefined())
  await user.click(dialog.getByRole('button', { name: '取消' }))
  await user.click(screen.getByRole('button', { name: '软件成员 的更多操作' }))
  await user.click(await screen.findByRole('menuitem', { name: '导出' }))
  await waitFor(() => expect(api.last('router/export')).toBeDefined())
})

it('list mode deletes what is selected, after 确认操作 was typed', async () => {
  const { api, dialog, confirm } = await openDelete(
    {
      'router/batch_delete': {
        data: { deleted: 1, result: [{ router_name: 'li.na@qiming', deleted: 1, msg: '' }] },
      },
    },
    ['li.na@qiming'],
  )
  expect(dialog.queryByText('已选择 1 个软件成员')).not.toBeNull()
  await confirm('确认')
  await dialog.findByText('请输入 确认操作 以继续', { selector: '[role=alert]' })
  expect(api.last('router/batch_delete')).toBeUndefined()
  await confirm('确认操作')
  expect(cells(await shown('批量删除的结果'))).toEqual([['li.na@qiming', '成功', '—']])
  expect(api.last('router/batch_delete')?.input).toEqual({ router_name: ['li.na@qiming'] })
})

it('list mode without a selection is refused', async () => {
  const { user, dialog, confirm } = await openDelete()
  await user.click(dialog.getByRole('radio', { name: '列表模式' }))
  await confirm('确认操作')
  await dialog.findByText('请至少选择1个软件成员')
})

it('file mode deletes what the file names', async () => {
  const { api, dialog, confirm } = await openDelete({
    'router/batch_delete_file': {
      data: { msg: '成功删除1个成员', result: [{ row: 2, router_name: 'wang', ok: 1, msg: '' }] },
    },
  })
  fireEvent.change(dialog.getByLabelText(/^成员文件/), { target: { files: [XLSX] } })
  await confirm('确认操作')
  expect(cells(await shown('批量删除的结果'))).toEqual([['第2行 wang', '成功', '—']])
  expect(api.last('router/batch_delete_file')?.input['file']).toBeInstanceOf(File)
})

it('a role is offered only what it may do', async () => {
  await openList({}, { ram: 1, flags: ['router:edit'] })
  expect(screen.queryByRole('button', { name: '批量添加' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '软件成员 的更多操作' }))
  await screen.findByRole('menuitem', { name: '导出' })
  expect(screen.queryByRole('menuitem', { name: '批量删除' })).toBeNull()
})
