// The page loads these two lazily; no test waits for the import.
import '#pages/router/list/claim-dialog.tsx'
import '#pages/router/list/software-dialog.tsx'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { keepDrafts } from '#lib/session/drafts.ts'
import { createUser } from '../lib/fixtures.ts'
import { type Handlers, openPage, QUANTITY } from './open-page.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

const refusal = (key: keyof typeof ERRORS, field?: string) => ({
  code: ERRORS[key].code,
  msg: ERRORS[key].msg,
  data: field === undefined ? null : { field },
})

async function openDialog(kind: '硬件成员' | '软件成员', handlers: Handlers, flags?: 'main' | 'ram') {
  const user = userEvent.setup()
  const page = openPage(`/router/lists?type=${kind === '硬件成员' ? 1 : 2}`, handlers, {
    ...(flags === 'ram' && { ram: 1, flags: ['router:create'] }),
  })
  const buttons = () => screen.getAllByRole<HTMLButtonElement>('button', { name: `添加${kind}` })
  await waitFor(() => expect(buttons()[0]?.disabled).toBe(false))
  await user.click(buttons()[0] as HTMLElement)
  const dialog = within(await screen.findByRole('dialog', { name: `添加${kind}` }))
  const fill = async (name: string, text: string) => {
    const box = dialog.getByLabelText(new RegExp(`^${name}`), { selector: 'input' })
    await user.clear(box)
    await user.type(box, text)
  }
  return { ...page, user, dialog, fill, submit: () => user.click(dialog.getByRole('button', { name: '添加' })) }
}

const value = (box: HTMLElement) => (box as HTMLInputElement).value

it('claims a router with the code pasted in any form', async () => {
  const { api, user, dialog, fill, submit } = await openDialog('硬件成员', {
    'router/add': { data: { router_name: 'NL-1' }, msg: '添加成功' },
  })
  await fill('序列号', 'NL-1')
  const code = dialog.getByRole('textbox', { name: /激活码/ })
  await user.click(code)
  await user.paste('abcd efgh 2345')
  expect(value(code)).toBe('ABCD-EFGH-2345')
  await submit()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.last('router/add')?.input).toEqual({
    router_type: 1,
    username: 'NL-1',
    code: 'ABCD-EFGH-2345',
    note: '',
    network_number: '',
  })
  await screen.findByText('添加成功')
})

it.each([
  ['硬件成员', { 序列号: 'NL-1', 备注: '总部' }, { 激活码: 'ABCD-EFGH-2345' }],
  ['软件成员', { 账号: 'zhang', 手机号码: '13800138000', 备注: '张三' }, { 密码: 'Secret2026' }],
] as const)(
  '%s: what was typed when the session ran out is back in the form, except secrets',
  async (kind, kept, secret) => {
    const first = await openDialog(kind, {})
    for (const [name, text] of Object.entries({ ...kept, ...secret })) await first.fill(name, text)
    keepDrafts(createUser())
    for (const text of Object.values(secret)) expect(JSON.stringify({ ...sessionStorage })).not.toContain(text)
    cleanup()

    const { dialog } = await openDialog(kind, {})
    const box = (name: string) => value(dialog.getByLabelText(new RegExp(`^${name}`), { selector: 'input' }))
    expect(dialog.queryByText('登录过期前未保存的内容已恢复，请核对后保存')).not.toBeNull()
    for (const [name, text] of Object.entries(kept)) expect(box(name)).toBe(text)
    for (const name of Object.keys(secret)) expect(box(name)).toBe('')
    cleanup()
    const again = await openDialog(kind, {})
    expect(again.dialog.queryByText(/已恢复/)).toBeNull()
  },
)

it('a correction in the middle of a code keeps the caret position', async () => {
  const { user, dialog } = await openDialog('硬件成员', {})
  const code = dialog.getByRole<HTMLInputElement>('textbox', { name: /激活码/ })
  await user.type(code, 'ABCDFGH2345')
  await user.type(code, 'e', { initialSelectionStart: 5, initialSelectionEnd: 5 })
  expect(value(code)).toBe('ABCD-EFGH-2345')
  expect(code.selectionStart).toBe(6)
})

it('half a code is not sent; a wrong one is refused at the code', async () => {
  const { api, dialog, fill, submit } = await openDialog('硬件成员', {
    'router/add': refusal('DEVICE_UNKNOWN', 'code'),
  })
  await fill('序列号', 'NL-1')
  await fill('激活码', 'ABCD')
  await submit()
  await dialog.findByText('激活码为 12 位字母和数字，请核对')
  expect(api.last('router/add')).toBeUndefined()
  await fill('激活码', 'ABCDEFGH2345')
  await submit()
  await dialog.findByText(ERRORS.DEVICE_UNKNOWN.msg)
  expect(dialog.getByRole('textbox', { name: /激活码/ }).getAttribute('aria-invalid')).toBe('true')
})

it('adds a software member under the suffix of the account', async () => {
  const { api, dialog, fill, submit } = await openDialog('软件成员', { 'router/add': { data: { router_name: 'x' } } })
  expect(dialog.queryByText('@qiming')).not.toBeNull()
  await fill('账号', '张三')
  await submit()
  await dialog.findByText('名称不能包含特殊字符和中文')
  await fill('账号', 'zhang.san')
  await fill('密码', 'Weilai26')
  await submit()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.last('router/add')?.input).toEqual({
    router_type: 2,
    username: 'zhang.san',
    password: 'Weilai26',
    area_code: '86',
    phone: '',
    note: '',
    type: 1,
    code: '',
    network_number: '',
  })
})

async function bindingDialog(more: Handlers = {}) {
  const opened = await openDialog('软件成员', {
    'router/add': ({ input }) => {
      if (input['type'] !== 2 && input['phone'] === '13800001234') return refusal('PHONE_MUST_VERIFY', 'phone')
      return input['type'] === 2 && input['code'] !== '123456'
        ? refusal('CODE_WRONG', 'code')
        : { data: { router_name: 'x' } }
    },
    'verify/send_code': { msg: '发送成功' },
    ...more,
  })
  expect(opened.dialog.queryByText('短信验证码')).toBeNull()
  await opened.fill('账号', 'zhang')
  await opened.fill('密码', 'Weilai26')
  await opened.fill('手机号码', '13800001234')
  await opened.submit()
  await opened.dialog.findByText(ERRORS.PHONE_MUST_VERIFY.msg)
  return opened
}

it('a phone of another member asks for a code sent to it, and then is taken', async () => {
  const { api, user, dialog, fill, submit } = await bindingDialog()
  await user.click(dialog.getByRole('button', { name: '获取验证码' }))
  expect(api.last('verify/send_code')?.input).toEqual({
    send_type: 'phone',
    verify_type: 'app_change_phone',
    send_value: '+86 13800001234',
  })
  await dialog.findByRole('button', { name: '59秒后重试' })
  await submit()
  await dialog.findByText('验证码不能为空')

  await fill('短信验证码', '000000')
  await submit()
  await dialog.findByText(ERRORS.CODE_WRONG.msg)
  expect(value(dialog.getByRole('textbox', { name: /短信验证码/ }))).toBe('')
  expect(value(dialog.getByRole('textbox', { name: '手机号码' }))).toBe('13800001234')

  await fill('短信验证码', '123456')
  await submit()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.last('router/add')?.input).toMatchObject({ type: 2, code: '123456', phone: '13800001234' })
})

it('a code that could not be sent frees the button at once', async () => {
  const { user, dialog } = await bindingDialog({ 'verify/send_code': refusal('SEND_FAILED') })
  await user.click(dialog.getByRole('button', { name: '获取验证码' }))
  await waitFor(() =>
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: '获取验证码' }).disabled).toBe(false),
  )
})

it('another phone leaves the binding state, the old one brings it back', async () => {
  const { api, dialog, fill, submit } = await bindingDialog()
  await fill('手机号码', '13900000000')
  expect(dialog.queryByText('短信验证码')).toBeNull()
  await fill('手机号码', '13800001234')
  expect(dialog.queryByText('短信验证码')).not.toBeNull()
  await fill('手机号码', '13900000000')
  await submit()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.last('router/add')?.input).toMatchObject({ type: 1, phone: '13900000000' })
})

it('423 offers the suffix dialog, and the suffix then stands behind the account', async () => {
  let sign = ''
  const { api, user, dialog, fill, submit } = await openDialog('软件成员', {
    'router/quantity': () => ({ data: { ...QUANTITY, software: 0, sign } }),
    'router/add': () => (sign === '' ? refusal('SIGN_REQUIRED') : { data: { router_name: 'x' } }),
    'account/edit_sign': ({ input }) => {
      sign = String(input['sign'])
      return { msg: '修改成功' }
    },
  })
  await fill('账号', 'zhang')
  await fill('密码', 'Weilai26')
  await submit()
  await user.click(await dialog.findByRole('button', { name: '设置后缀' }))
  const setting = within(await screen.findByRole('dialog', { name: '设置账号后缀' }))
  await user.type(setting.getByRole('textbox', { name: /账号后缀/ }), 'huadong')
  await user.click(setting.getByRole('button', { name: '保存' }))
  await dialog.findByText('@huadong')
  expect(dialog.queryByText(ERRORS.SIGN_REQUIRED.msg)).toBeNull()
  expect(value(dialog.getByRole('textbox', { name: /^账号/ }))).toBe('zhang')
  await submit()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.last('router/add')?.input).toMatchObject({ username: 'zhang' })
})

it('a sub-account sees who can set the suffix', async () => {
  const { dialog } = await openDialog('软件成员', { 'router/quantity': { data: { ...QUANTITY, sign: '' } } }, 'ram')
  expect(dialog.getByRole('alert').textContent).toBe(`${ERRORS.SIGN_REQUIRED.msg}，请联系主账号设置`)
  expect(dialog.queryByRole('button', { name: '设置后缀' })).toBeNull()
})

async function openSign(handlers: Handlers = {}) {
  const user = userEvent.setup()
  const page = openPage('/router/lists?type=2', handlers)
  await user.click(await screen.findByRole('button', { name: '修改' }))
  const dialog = within(await screen.findByRole('dialog', { name: '修改账号后缀' }))
  return { ...page, user, dialog, box: dialog.getByRole('textbox', { name: /账号后缀/ }) }
}

it('an unchanged suffix closes without a call', async () => {
  const { api, user, dialog } = await openSign()
  expect(dialog.queryByText(/会随之改名/)).toBeNull()
  await user.click(dialog.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.last('account/edit_sign')).toBeUndefined()
})

it.each([
  ['short', ''],
  ['with-dash1', '，不能包含“-”'],
  ['thirteenchars', ''],
])('the suffix %s is refused before it is sent', async (text, why) => {
  const { api, user, dialog, box } = await openSign()
  await user.clear(box)
  await user.type(box, text)
  expect(dialog.queryByText(/现有 3 个软件成员会随之改名/)).not.toBeNull()
  await user.click(dialog.getByRole('button', { name: '保存' }))
  await dialog.findByText(`账号后缀为6-12位字母或数字${why}`)
  expect(api.last('account/edit_sign')).toBeUndefined()
})

it('a taken suffix is shown at the field', async () => {
  const { user, dialog, box } = await openSign({ 'account/edit_sign': refusal('SIGN_TAKEN', 'sign') })
  await user.clear(box)
  await user.type(box, 'huadong')
  expect(dialog.queryByText(/@qiming 变为 @huadong/)).not.toBeNull()
  await user.click(dialog.getByRole('button', { name: '保存' }))
  await dialog.findByText(ERRORS.SIGN_TAKEN.msg)
})

it('network 5: a quota that refuses offers the upgrade, and what was typed stays', async () => {
  const { user, dialog, fill, submit } = await openDialog('软件成员', {
    'router/add': { ...refusal('SOFTWARE_LIMIT_REACHED'), reason: 'SOFTWARE_LIMIT_REACHED' },
  })
  await fill('账号', 'zhang')
  await fill('密码', 'Secret2026')
  await submit()
  await user.click(await dialog.findByRole('button', { name: '立即升级' }))
  await screen.findByText('暂时无法升级')
  await user.click(dialog.getByRole('button', { name: '暂不升级' }))
  expect(dialog.queryByText(ERRORS.SOFTWARE_LIMIT_REACHED.msg)).toBeNull()
  expect(value(dialog.getByLabelText(/^账号/, { selector: 'input' }))).toBe('zhang')
  for (const close of screen.getAllByRole('button', { name: '关闭提示' })) await user.click(close) // toasts outlive their page
})
