// The page loads these lazily; no test waits for the import.
import '#ui/member/member-password-dialog.tsx'
import '#ui/member/phone-dialog.tsx'
import '#pages/router/list/software-dialog.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { chooseAction } from '../lib/row-menu.ts'
import { createMember } from './fixtures.ts'
import { row } from './list-rows.ts'
import { type Handlers, openPage } from './open-page.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

const PEOPLE = { data: [createMember('li.na@qiming', { phone: '13800001234' })], count: 1 }
const refusal = (key: keyof typeof ERRORS, field?: string) => ({
  code: ERRORS[key].code,
  msg: ERRORS[key].msg,
  reason: key,
  data: field === undefined ? null : { field },
})

async function openDialog(action: string, handlers: Handlers) {
  const user = userEvent.setup()
  const page = openPage('/router/lists?type=2', { 'router/lists': PEOPLE, ...handlers })
  await chooseAction(await row('li.na@qiming'), action)
  const dialog = within(await screen.findByRole('dialog', { name: action }))
  const fill = async (name: string, text: string) => {
    const box = dialog.getByLabelText(new RegExp(`^${name}`), { selector: 'input' })
    await user.clear(box)
    if (text !== '') await user.type(box, text)
  }
  return { ...page, user, dialog, fill, save: () => user.click(dialog.getByRole('button', { name: '保存' })) }
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

it('binds a phone; an unchanged one is not sent', async () => {
  const { api, save } = await openDialog('绑定手机', { 'router/phone': { msg: '保存成功' } })
  await save()
  await isClosed()
  expect(api.last('router/phone')).toBeUndefined()
})

it('a phone of another member asks for a code sent to it', async () => {
  const { api, user, dialog, fill, save } = await openDialog('绑定手机', {
    'router/phone': ({ input }) => (input['type'] === 2 ? { msg: '保存成功' } : refusal('PHONE_MUST_VERIFY', 'phone')),
    'verify/send_code': { msg: '发送成功' },
  })
  await fill('手机号码', '')
  await save()
  await dialog.findByText('请输入手机号码')
  await fill('手机号码', '13900001234')
  await save()
  await dialog.findByText(ERRORS.PHONE_MUST_VERIFY.msg)
  await user.click(dialog.getByRole('button', { name: '获取验证码' }))
  expect(api.last('verify/send_code')?.input).toEqual({
    send_type: 'phone',
    verify_type: 'app_change_phone',
    send_value: '+86 13900001234',
  })
  await fill('短信验证码', '123456')
  await save()
  await isClosed()
  expect(api.last('router/phone')?.input).toEqual({
    router_name: 'li.na@qiming',
    area_code: '86',
    phone: '13900001234',
    type: 2,
    code: '123456',
  })
})

it('changes a password; without a bound phone or e-mail the dialog says what to do first', async () => {
  const { api, dialog, fill, save } = await openDialog('修改密码', { 'router/password': refusal('CONTACT_REQUIRED') })
  await fill('新密码', '123')
  await save()
  await dialog.findByText('长度在 6 到 18 个字符')
  await fill('新密码', 'Weilai26')
  await save()
  await dialog.findByText('请先绑定手机或者邮箱，再修改密码')
  api.set('router/password', { msg: '修改成功' })
  await save()
  await isClosed()
  expect(api.last('router/password')?.input).toEqual({ router_name: 'li.na@qiming', password: 'Weilai26' })
})

it('a generated password is shown once, with a text to invite by', async () => {
  const { api, user, dialog, save } = await openDialog('修改密码', { 'router/password': { msg: '修改成功' } })
  await user.click(dialog.getByRole('button', { name: '生成密码' }))
  await save()
  const shown = within(await screen.findByRole('dialog', { name: '密码已修改' }))
  const password = String(api.last('router/password')?.input['password'])
  expect(password).toMatch(/^(?=.*\d)(?=.*[a-zA-Z])[a-zA-Z0-9]{12}$/)
  expect(shown.queryByText(password)).not.toBeNull()
  await user.click(shown.getByRole('button', { name: '复制邀请文本' }))
  expect(await navigator.clipboard.readText()).toContain(`账号：li.na@qiming\n密码：${password}`)
  await user.click(shown.getAllByRole('button', { name: '关闭' })[0] as HTMLElement)
  await isClosed()
})

it('a member added with a generated password: the same', async () => {
  const user = userEvent.setup()
  const { api } = openPage('/router/lists?type=2', {
    'router/lists': PEOPLE,
    'router/add': { data: { router_name: 'zhang@qiming' }, msg: '添加成功' },
  })
  const add = async () => (await screen.findAllByRole<HTMLButtonElement>('button', { name: '添加软件成员' }))[0]!
  await waitFor(async () => expect((await add()).disabled).toBe(false))
  await user.click(await add())
  const dialog = within(await screen.findByRole('dialog', { name: '添加软件成员' }))
  await user.type(dialog.getByLabelText(/^账号/, { selector: 'input' }), 'zhang')
  await user.click(dialog.getByRole('button', { name: '生成密码' }))
  await user.click(dialog.getByRole('button', { name: '添加' }))
  const shown = within(await screen.findByRole('dialog', { name: '成员已添加' }))
  expect(shown.queryByText(String(api.last('router/add')?.input['password']))).not.toBeNull()
  expect(shown.queryByText('zhang@qiming')).not.toBeNull()
})

it('a role that may not edit is offered neither', async () => {
  const user = userEvent.setup()
  openPage('/router/lists?type=2', { 'router/lists': PEOPLE }, { ram: 1, flags: ['router:delete'] })
  const member = await row('li.na@qiming')
  await user.click(member.getByRole('button', { name: /的更多操作$/ }))
  await screen.findByRole('menuitem', { name: /^删除/ })
  expect(screen.queryByRole('menuitem', { name: /绑定手机|修改密码/ })).toBeNull()
})
