import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { AuthSourceListPage } from '#pages/auth-source/auth-source-list-page.tsx'
import { AUTH_SOURCE_REPLIES } from '#tests/support/auth-source-replies.ts'
import { chooseAction, menuOf } from '../lib/row-menu.ts'
import { openPage } from '../network/open-page.tsx'
import { holdLongTimers } from '#tests/support/web/long-timers.ts'

const open = (over: Parameters<typeof openPage>[2] = {}) =>
  openPage(<AuthSourceListPage />, '/router/auth_source', { ...AUTH_SOURCE_REPLIES, ...over })
const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }))
const confirmation = async () => within(await screen.findByRole('alertdialog'))
const paste = async (label: RegExp, text: string) => {
  await userEvent.click(await screen.findByLabelText(label))
  await userEvent.paste(text)
}
afterEach(() => void vi.useRealTimers())

async function openNew() {
  await userEvent.click((await screen.findAllByRole('button', { name: '添加认证源' }))[0]!)
  return within(await screen.findByRole('dialog', { name: '添加认证源' }))
}

describe('directory 2 · auth sources', () => {
  it('shows the ID, and each source with its state', async () => {
    open()
    expect(await screen.findByText('K7Q2-9XTM')).toBeTruthy()
    await screen.findByRole('row', { name: /启明企业微信/ })
    expect(row('启明企业微信').getByText('已启用')).toBeTruthy()
    const dingtalk = row('启明钉钉')
    for (const text of ['已禁用', '钉钉', '2026-11-20 10:00:00']) expect(dingtalk.getByText(text)).toBeTruthy()
    expect(dingtalk.getByRole('button', { name: /编辑/ })).toBeTruthy()
    await userEvent.click(menuOf(dingtalk))
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
    expect(items).toEqual(['复制', '启用', '删除'])
  })

  it('says what it is for while there is none', async () => {
    open({ 'auth_source/lists': { data: [], count: 0, max: 20 } as object })
    expect((await screen.findAllByText('还没有认证源')).length).toBeGreaterThan(0)
    expect(await openNew()).toBeTruthy()
  })

  it('without the feature it says so in one sentence', async () => {
    const off = { code: 403, msg: ERRORS.AUTH_SOURCE_OFF.msg, reason: 'AUTH_SOURCE_OFF' } as const
    open({ 'auth_source/lists': off, 'auth_source/code': off })
    await screen.findByText(ERRORS.AUTH_SOURCE_OFF.msg)
    expect(screen.getAllByText(/请联系/)).toHaveLength(1)
    expect(screen.queryByText(/主账号授权/)).toBeNull()
    expect(screen.queryByRole('button', { name: '添加认证源' })).toBeNull()
  })

  it('offers another try where the list cannot be read', async () => {
    const { api } = open({ 'auth_source/lists': { code: 500, msg: '服务暂时不可用' } })
    const retry = await screen.findByRole('button', { name: '重试' })
    api.set('auth_source/lists', AUTH_SOURCE_REPLIES['auth_source/lists'])
    await userEvent.click(retry)
    expect(await screen.findByText('启明企业微信')).toBeTruthy()
  })

  it.each([
    ['启明企业微信', '禁用', 'auth_source/disable', 1, '关闭成功'],
    ['启明钉钉', '启用', 'auth_source/enable', 2, '启动成功'],
    ['启明钉钉', '删除', 'auth_source/delete', 2, '删除成功'],
  ] as const)('%s: %s is asked first', async (name, label, path, id, msg) => {
    const { api } = open({ [path]: { msg } })
    await screen.findByRole('row', { name: new RegExp(name) })
    await chooseAction(row(name), label)
    const dialog = await confirmation()
    expect(api.last(path)).toBeUndefined()
    await userEvent.click(dialog.getByRole('button', { name: label }))
    expect(await screen.findByText(msg)).toBeTruthy()
    expect(api.last(path)?.input).toEqual({ id })
  })
})

it('copies the source ID, and a deletion is asked as the document says', async () => {
  const user = userEvent.setup()
  open()
  await screen.findByText('K7Q2-9XTM')
  await screen.findByRole('row', { name: /启明钉钉/ })
  await chooseAction(row('启明钉钉'), '复制')
  await screen.findByText('复制成功')
  expect(await navigator.clipboard.readText()).toBe('K7Q2-9XTM')
  await chooseAction(row('启明钉钉'), '删除')
  const dialog = await confirmation()
  expect(dialog.getByText(/^是否确定删除\? /)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: '取消' }))
})

describe('directory 5 · the form', () => {
  it('asks for what each vendor needs', async () => {
    const { api } = open()
    const dialog = await openNew()
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    for (const sentence of ['请输入认证源名称', '不能为空', '请输入应用ID', '请输入AppSecret'])
      expect(await dialog.findByText(sentence)).toBeTruthy()
    await userEvent.click(dialog.getByRole('radio', { name: '钉钉' }))
    expect(dialog.queryByLabelText(/^应用ID/)).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    await waitFor(() => expect(dialog.getAllByText('不能为空')).toHaveLength(2))
    expect(api.last('auth_source/create')).toBeUndefined()
  })

  it('shows what to enter in the vendor’s console', async () => {
    open()
    const dialog = await openNew()
    expect(await dialog.findByText('未配置固定出口')).toBeTruthy()
    expect(dialog.getByText('console.netloom.cn')).toBeTruthy()
    await userEvent.click(dialog.getByRole('radio', { name: '飞书' }))
    expect(dialog.getByText('203.0.113.5')).toBeTruthy()
    expect(dialog.getByText('https://console.netloom.cn/auth/callback')).toBeTruthy()
  })

  it('a refusal of the vendor lands on its field, and what was typed stays', async () => {
    open({
      'auth_source/create': {
        code: 422,
        msg: '企业微信返回错误40013：invalid corpid',
        data: { field: 'app_id' },
      } as object,
    })
    const dialog = await openNew()
    await paste(/^认证源名称/, '企微')
    await paste(/^企业ID/, 'ww1')
    await paste(/^应用ID/, '1000002')
    await paste(/^AppSecret/, 'secret')
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    expect(await dialog.findByText('企业微信返回错误40013：invalid corpid')).toBeTruthy()
    expect((dialog.getByLabelText(/^AppSecret/) as HTMLInputElement).value).toBe('secret')
  })

  it('offers three types, and shows a refusal of the type on it', async () => {
    open({ 'auth_source/create': { code: 422, msg: '请选择类型', data: { field: 'type' } } as object })
    const dialog = await openNew()
    const types = dialog.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)
    expect(types).toEqual(['企业微信', '飞书', '钉钉'])
    await userEvent.click(dialog.getByRole('radio', { name: '飞书' }))
    await paste(/^认证源名称/, '飞书')
    await paste(/^App ID/, 'cli_1')
    await paste(/^App ?Secret/, 'secret')
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    const refusal = await dialog.findByText('请选择类型')
    expect(within(refusal.closest<HTMLElement>('.nl-field')!).getByRole('radiogroup')).toBeTruthy()
  })

  it('stays locked for up to 60 s while no answer comes', async () => {
    open({ 'auth_source/create': () => new Promise(() => {}) })
    const dialog = await openNew()
    await userEvent.click(dialog.getByRole('radio', { name: '飞书' }))
    await paste(/^认证源名称/, '飞书')
    await paste(/^App ID/, 'cli_1')
    await paste(/^App ?Secret/, 'secret')
    const { pass } = holdLongTimers(1_000)
    const button = () => dialog.getByRole('button', { name: /添加$/ })
    fireEvent.click(button())
    await waitFor(() => expect(button().className).toContain('loading'))
    await pass(59_999)
    expect(button().className).toContain('loading')
    await pass(1)
    expect(button().className).not.toContain('loading')
  })

  it('an own domain needs WeCom’s file, and is proved where it is not yet', async () => {
    const { api } = open({
      'auth_source/create': {
        code: 423,
        msg: '回调域名尚未验证',
        reason: 'AUTH_DOMAIN_UNPROVED',
        file_name: 'netloom-1.txt',
      } as object,
    })
    const dialog = await openNew()
    await paste(/^认证源名称/, '企微')
    await paste(/^企业ID/, 'ww1')
    await paste(/^应用ID/, '1000002')
    await paste(/^AppSecret/, 'secret')
    await paste(/^自有回调域名/, 'login.qiming.example')
    const input = (await dialog.findByLabelText(/^校验文件/)) as HTMLInputElement
    const file = new File(['AbCd1234\n'], 'WW_verify_AbCd1234.txt')
    await userEvent.upload(input, Object.assign(file, { text: async () => 'AbCd1234\n' })) // jsdom has none
    expect(await dialog.findByText('WW_verify_AbCd1234.txt')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    expect(await screen.findByRole('dialog', { name: '验证域名“login.qiming.example”' })).toBeTruthy()
    expect(api.last('auth_source/create')?.input).toMatchObject({
      auth_domain: 'login.qiming.example',
      file_name: 'WW_verify_AbCd1234.txt',
      file_content: 'AbCd1234',
    })
  })

  it('an edit keeps the secret where it is left empty, and the type as it is', async () => {
    const { api } = open({ 'auth_source/edit': { msg: '修改成功' } })
    await screen.findByRole('row', { name: /启明企业微信/ })
    await userEvent.click(row('启明企业微信').getByRole('button', { name: /编辑/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '编辑认证源' }))
    expect(dialog.getByRole('radio', { name: '企业微信' })).toHaveProperty('disabled', true)
    await paste(/^认证源名称/, '2')
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(api.last('auth_source/edit')?.input).toMatchObject({ id: 1, name: '启明企业微信2', app_secret: '' }),
    )
  })
})
