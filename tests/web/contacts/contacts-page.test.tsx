import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ContactsPage } from '#pages/contacts/contacts-page.tsx'
import { chooseAction, findAction } from '../lib/row-menu.ts'
import { openPage } from '../network/open-page.tsx'

const VERIFIED_AT = Date.parse('2026-01-02T02:00:00Z')
const contact = (over: object = {}) => ({
  uuid: 'c1',
  name: '张三',
  email: 'zhang@qiming.example',
  email_verify: 0,
  email_verify_time: null,
  expire_time: null,
  re_email_verify: 1,
  mail_pending: 0,
  mail_error: '',
  resend_after: 0,
  ...over,
})
const verified = (over: object = {}) =>
  contact({ email_verify: 1, email_verify_time: VERIFIED_AT, expire_time: VERIFIED_AT + 180 * 86_400_000, ...over })

const open = (rows: readonly object[], handlers = {}, user = {}, query = '') =>
  openPage(
    <ContactsPage />,
    `/account/contacts${query}`,
    { 'contacts/lists': { data: rows, count: rows.length }, ...handlers },
    user,
  )
const findRow = async (name = '张三') => within(await screen.findByRole('row', { name: new RegExp(name) }))
const resend = (row: Awaited<ReturnType<typeof findRow>>) =>
  row.getByRole<HTMLButtonElement>('button', { name: /^重新发送验证邮件/ })

describe('account 2 · contacts table', () => {
  it('shows name, address, verification and the authorization’s time', async () => {
    open([verified(), contact({ uuid: 'c2', name: '李四', email: 'li@qiming.example' })])
    const first = await findRow()
    for (const text of ['zhang@qiming.example', '已验证', '2026-01-02 10:00:00'])
      expect(first.getByText(text)).not.toBeNull()
    expect(first.queryByText('(已过期)')).toBeNull()
    const second = await findRow('李四')
    expect(second.getByText('未验证')).not.toBeNull()
    expect(resend(second).disabled).toBe(false)
  })

  it('appends (已过期) to the time of one that has expired', async () => {
    open([verified({ re_email_verify: 0 })])
    expect((await findRow()).getByText('(已过期)')).not.toBeNull()
  })

  it('sends page and search of the address', async () => {
    const { api } = open([contact()], {}, {}, '?search=zhang&page=2')
    await findRow()
    expect(api.last('contacts/lists')?.input).toMatchObject({ search: 'zhang', page: '2', limit: '10' })
  })

  it('without monitor:view shows the masked rows, and no search over what is masked', async () => {
    open([contact({ name: '张**', email: 'z***@q***.cn' })], {}, { ram: 1, flags: [] })
    expect((await findRow('张')).getByText('z***@q***.cn')).not.toBeNull()
    expect(screen.queryByLabelText('搜索名称或邮箱')).toBeNull()
  })

  it('says what contacts are for where there is none yet', async () => {
    open([])
    expect(await screen.findByText('好像没有什么东西哦！')).not.toBeNull()
    expect(screen.getByText(/邮箱验证后180天内有效/)).not.toBeNull()
  })

  it('a read that fails offers another try', async () => {
    const { api } = open([], { 'contacts/lists': { code: 500, msg: '系统异常,请稍候尝试!' } })
    const retry = await screen.findByRole('button', { name: '重试' })
    api.set('contacts/lists', { data: [contact()], count: 1 })
    await userEvent.click(retry)
    expect((await findRow()).getByText('未验证')).not.toBeNull()
  })
})

describe('account 4 · resend of the verification mail', () => {
  it('counts down sixty seconds', async () => {
    const { api } = open([contact()], { 'contacts/send_validate_email': { msg: '发送成功' } })
    await userEvent.click(resend(await findRow()))
    await waitFor(() => expect(api.last('contacts/send_validate_email')?.input).toEqual({ uuid: 'c1' }))
    expect(await screen.findByText('发送成功')).not.toBeNull()
    expect(resend(await findRow()).textContent).toMatch(/^(60|59)秒后重试$/)
    expect(resend(await findRow()).disabled).toBe(true)
  })

  it('goes on with the seconds that the server still asks for', async () => {
    open([contact({ resend_after: 30 })])
    const button = resend(await findRow())
    await waitFor(() => expect(button.textContent).toMatch(/^(30|29)秒后重试$/))
  })

  it('says that the mail was not sent, and can be pressed at once', async () => {
    open([contact({ mail_error: 'SEND_FAILED' })])
    const row = await findRow()
    expect(row.getByText('发送失败，请重新发送')).not.toBeNull()
    expect(resend(row).disabled).toBe(false)
  })

  it('reads the row again while its mail is on the way', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { api } = open([contact({ mail_pending: 1, resend_after: 60 })])
    expect((await findRow()).getByText('发送中')).not.toBeNull()
    api.set('contacts/lists', { data: [contact({ mail_error: 'SEND_FAILED' })], count: 1 })
    await vi.advanceTimersByTimeAsync(2_100)
    await waitFor(async () => expect(resend(await findRow()).textContent).toBe('重新发送'))
    vi.useRealTimers()
  })
})

describe('account 2 · actions on contacts', () => {
  it('adds one by the dialog; a refusal lands on its field', async () => {
    const taken = { code: 422, msg: '该邮箱已被其他联系人使用，请更换', data: { field: 'email' } }
    const { api } = open([contact()], { 'contacts/create': taken })
    await userEvent.click(await screen.findByRole('button', { name: '添加联系人' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    expect(await dialog.findByText('请输入名称')).not.toBeNull()
    expect(dialog.getByText('请输入邮箱')).not.toBeNull()
    await userEvent.type(dialog.getByLabelText(/^名称/, { selector: 'input' }), '李四')
    await userEvent.type(dialog.getByLabelText(/^邮箱/, { selector: 'input' }), 'li@qiming.example')
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    expect(await dialog.findByText(taken.msg)).not.toBeNull()
    api.set('contacts/create', { msg: '添加成功', data: { uuid: 'c2' } })
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.last('contacts/create')?.input).toEqual({ name: '李四', email: 'li@qiming.example' })
  })

  it('edits one, and renews a verified one', async () => {
    const { api } = open([verified()], {
      'contacts/edit': { msg: '修改成功' },
      'contacts/update_verify': { msg: '授权成功' },
    })
    const row = await findRow()
    await chooseAction(row, '更新授权')
    await waitFor(() => expect(api.last('contacts/update_verify')?.input).toEqual({ uuid: 'c1' }))
    await userEvent.click(row.getByRole('button', { name: '编辑 张三' }))
    const dialog = within(await screen.findByRole('dialog'))
    const name = dialog.getByLabelText<HTMLInputElement>(/^名称/, { selector: 'input' })
    await userEvent.clear(name)
    await userEvent.type(name, '张三丰')
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(api.last('contacts/edit')?.input).toEqual({ uuid: 'c1', name: '张三丰', email: 'zhang@qiming.example' }),
    )
  })

  it('says that one has unsubscribed meanwhile, and reads it again', async () => {
    const { api } = open([verified()], {
      'contacts/update_verify': { code: 423, msg: '该邮箱尚未验证，请先完成邮箱验证' },
    })
    const row = await findRow()
    api.set('contacts/lists', { data: [contact()], count: 1 })
    await chooseAction(row, '更新授权')
    expect(await screen.findByText('该邮箱尚未验证，请先完成邮箱验证')).not.toBeNull()
    expect(await screen.findByText('未验证')).not.toBeNull()
  })

  it('cannot renew an unverified one, and says why', async () => {
    open([contact()])
    const action = await findAction(await findRow(), '更新授权')
    expect(action.textContent).toContain('该邮箱尚未验证，请先完成邮箱验证')
  })

  it('deletes one behind the question of the document', async () => {
    const { api } = open([contact()], { 'contacts/delete': { msg: '删除成功' } })
    await chooseAction(await findRow(), '删除')
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('是否确定删除?')
    await userEvent.click(within(dialog).getByRole('button', { name: '删除联系人' }))
    await waitFor(() => expect(api.last('contacts/delete')?.input).toEqual({ uuid: 'c1' }))
  })

  it.each([
    ['a role without monitor:edit', { ram: 1, flags: [] } as const],
    ['a role limited to networks', { ram: 1, flags: ['monitor:edit'], networks: ['N1'] } as const],
  ])('%s reads only', async (_, user) => {
    open([contact()], {}, user as object)
    const row = await findRow()
    expect(row.queryByRole('button')).toBeNull()
    const add = screen.getByRole<HTMLButtonElement>('button', { name: '添加联系人' })
    expect(add.disabled).toBe(true)
  })
})
