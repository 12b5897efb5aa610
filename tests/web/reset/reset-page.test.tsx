import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { RECOVERY_WAYS } from '#contract/verify/index.ts'
import { ResetPage } from '#pages/reset/reset-page.tsx'
import { fakeApi } from '../lib/fake-api.ts'

const user = userEvent.setup()
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
const errors = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name }))

function open(handlers: Parameters<typeof fakeApi>[0] = {}) {
  let drawn = 0
  const api = fakeApi({
    'verify/code': () => ({ data: { content: 'data:image/png;base64,AA==', uniqid: `u${++drawn}` } }),
    'verify/find_password': { data: { uniqid: 'rec', ...RECOVERY_WAYS } },
    'verify/find_password_code': { msg: '发送成功' },
    'verify/authentication': { data: { phone: '+86 138****0000', email: '' } },
    'verify/reset_password': { msg: '修改成功' },
    ...handlers,
  })
  render(<ResetPage />, { wrapper: MemoryRouter })
  return api
}

async function toIdentity() {
  await user.type(field('用户名'), 'demo01')
  await user.type(field('验证码'), 'AB2C')
  await press('下一步')
  await screen.findByText('验证方式')
}

async function toPassword() {
  await toIdentity()
  await user.type(field('验证码'), '123456')
  await press('下一步')
  await screen.findByLabelText('新密码', { selector: 'input' })
}

it('goes through the three steps to the sign-in', async () => {
  const api = open()
  await toPassword()
  await screen.findByText('身份验证通过：+86 138****0000')
  await user.type(field('新密码'), 'Demo2027')
  await user.type(field('重复密码'), 'Demo2027')
  await press('重置密码')
  await screen.findByText('密码已重置')
  expect(screen.getByRole('link', { name: '重新登录' }).getAttribute('href')).toBe('/login')
  expect(api.last('verify/find_password')?.input).toEqual({ username: 'demo01', img_code: 'AB2C', uniqid: 'u1' })
  expect(api.last('verify/authentication')?.input).toEqual({ send_type: 'phone', code: '123456', uniqid: 'rec' })
  expect(api.last('verify/reset_password')?.input).toEqual({
    password: 'Demo2027',
    reset_password: 'Demo2027',
    uniqid: 'rec',
  })
})

it('does the work that repeated failures ask for, with the same captcha', async () => {
  const asked = { code: 401, msg: '失败次数较多，请完成安全验证后重试', data: { field: 'img_code', difficulty: 4 } }
  const api = open({
    'verify/find_password': ({ input }) => ('nonce' in input ? { data: { uniqid: 'rec', ...RECOVERY_WAYS } } : asked),
  })
  await toIdentity()
  const calls = api.calls.filter(({ path }) => path === 'verify/find_password').map(({ input }) => input)
  expect(calls).toEqual([
    { username: 'demo01', img_code: 'AB2C', uniqid: 'u1' },
    { username: 'demo01', img_code: 'AB2C', uniqid: 'u1', nonce: expect.any(String) as string },
  ])
  expect(api.paths().filter((path) => path === 'verify/code')).toHaveLength(1)
})

it('clears and redraws the image code when the account is not found', async () => {
  const api = open({
    'verify/find_password': { code: 422, msg: '图形验证码错误或已失效，请重新输入', data: { field: 'img_code' } },
  })
  await user.type(field('用户名'), 'demo01')
  await user.type(field('验证码'), 'AB2C')
  await press('下一步')
  await waitFor(() => expect(api.paths().filter((path) => path === 'verify/code')).toHaveLength(2))
  expect(field('验证码').value).toBe('')
  expect(screen.queryByText('验证方式')).toBeNull()
})

it('sends the code the chosen way, and says what to do when none comes', async () => {
  const api = open()
  await toIdentity()
  await user.click(screen.getByRole('radio', { name: RECOVERY_WAYS.email }))
  await screen.findByText(/请等待5分钟/)
  await press('获取验证码')
  await waitFor(() =>
    expect(api.last('verify/find_password_code')?.input).toEqual({ uniqid: 'rec', send_type: 'email' }),
  )
})

it('remains on the refused step', async () => {
  open({ 'verify/authentication': { code: 422, msg: '验证码错误或已失效，请重新获取', data: { field: 'code' } } })
  await toIdentity()
  await press('下一步')
  await waitFor(() => expect(errors()).toEqual(['手机验证码不能为空']))
  await user.click(screen.getByRole('radio', { name: RECOVERY_WAYS.email }))
  await press('下一步')
  await waitFor(() => expect(errors()).toEqual(['邮箱验证码不能为空']))
  await user.type(field('验证码'), '123456')
  await press('下一步')
  await waitFor(() => expect(errors()).toContain('验证码错误或已失效，请重新获取'))
  expect(screen.queryByLabelText('新密码', { selector: 'input' })).toBeNull()
})

it('requires the same password twice (account 5)', async () => {
  const api = open()
  await toPassword()
  await press('重置密码')
  await waitFor(() => expect(errors()).toEqual(['密码不能为空', '重复密码不能为空']))
  await user.type(field('新密码'), 'Demo2027')
  await user.type(field('重复密码'), 'Demo2028')
  await press('重置密码')
  await waitFor(() => expect(errors()).toEqual(['2次密码输入不一致']))
  expect(api.paths()).not.toContain('verify/reset_password')
})

it('leads back to the first step when the recovery has run out', async () => {
  open({ 'verify/reset_password': { code: 422, msg: '身份验证已失效，请从第一步重新开始' } })
  await toPassword()
  await user.type(field('新密码'), 'Demo2027')
  await user.type(field('重复密码'), 'Demo2027')
  await press('重置密码')
  await press('从第一步重新开始').catch(async () => user.click(await screen.findByText('从第一步重新开始')))
  expect(field('用户名').value).toBe('')
})
