import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RegisterPage } from '#pages/register/register-page.tsx'
import { startBrand } from '#lib/session/brand.ts'
import { lastSignIn } from '#lib/session/last-sign-in.ts'
import { knownSession } from '#lib/session/session.ts'
import { fakeApi } from '../lib/fake-api.ts'
import { createUser } from '../lib/fixtures.ts'
import { REGISTER_REDIRECT_MS } from '#contract/account/limits.ts'

const user = userEvent.setup()
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
const errors = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const codeButton = () => screen.getByRole('button', { name: /获取验证码|秒后重试/ })

const STARTED = {
  access_token: 'token',
  token_expire_time: 1_800,
  user: createUser({ username: 'qiming01' }),
  trial: null,
}

function open(handlers: Parameters<typeof fakeApi>[0] = {}, at = '/register') {
  let drawn = 0
  const api = fakeApi({
    'verify/code': () => ({ data: { content: 'data:image/png;base64,AA==', uniqid: `u${++drawn}` } }),
    'country/lists': { data: [{ code: 'CN', name: 'China', dialCode: '86', phoneFormat: '', CNName: '中国' }] },
    'verify/register': { msg: '发送成功' },
    'account/register': { msg: '注册成功', data: STARTED },
    ...handlers,
  })
  const router = createMemoryRouter(
    [
      { path: '/register', element: <RegisterPage /> },
      { path: '/login', element: <p>登录页</p> },
    ],
    { initialEntries: [at] },
  )
  render(<RouterProvider router={router} />)
  return { api, path: () => router.state.location.pathname + router.state.location.search }
}

async function fillRest() {
  await user.type(field('昵称'), '启明星')
  await user.type(field('用户名'), 'qiming01')
  await user.type(field('密码'), 'Demo2026')
  await user.type(field('确认密码'), 'Demo2026')
  const consent = screen.queryByRole('checkbox')
  if (consent !== null) await user.click(consent)
}

/** Asks for the code; the reply clears the captcha. */
async function askForCode() {
  await user.type(field('图形验证码'), 'AB2C')
  await user.click(codeButton())
  await screen.findByText(/请等待5分钟/)
}

function useTerms(terms: object | null) {
  document.getElementById('brand')?.remove()
  const data = JSON.stringify({ terms })
  document.head.insertAdjacentHTML('beforeend', `<script type="application/json" id="brand">${data}</script>`)
  startBrand()
}

beforeEach(() => useTerms({ clause: 'console', privacy: 'console' }))
afterEach(() => {
  vi.useRealTimers()
  document.getElementById('brand')?.remove()
})

it('requires target and captcha before a code is sent, and unlocks the button', async () => {
  const { api } = open()
  await user.click(codeButton())
  await waitFor(() => expect(errors()).toEqual(['手机号码不能为空', '验证码不能为空']))
  expect(api.paths()).not.toContain('verify/register')
  expect(codeButton().textContent).toBe('获取验证码')
})

it('sends the code, counts down, draws a new captcha and shows help for a missing code', async () => {
  const { api } = open()
  await user.type(screen.getByPlaceholderText('手机号码'), '13800000000')
  await user.type(field('图形验证码'), 'AB2C')
  await user.click(codeButton())
  await screen.findByText(/请等待5分钟/)
  expect(codeButton().textContent).toMatch(/^5[89]秒后重试$/)
  expect(api.last('verify/register')?.input).toEqual({
    send_type: 'phone',
    send_value: '+86 13800000000',
    img_code: 'AB2C',
    uniqid: 'u1',
  })
  await waitFor(() => expect(api.paths().filter((path) => path === 'verify/code')).toHaveLength(2))
  expect(field('图形验证码').value).toBe('')
})

it('does the work that repeated failures ask for, and the code belongs to that captcha', async () => {
  const asked = { code: 401, msg: '失败次数较多，请完成安全验证后重试', data: { field: 'img_code', difficulty: 4 } }
  const { api } = open({ 'verify/register': ({ input }) => ('nonce' in input ? { msg: '发送成功' } : asked) })
  await user.type(screen.getByPlaceholderText('手机号码'), '13800000000')
  await askForCode()
  const calls = api.calls.filter(({ path }) => path === 'verify/register').map(({ input }) => input)
  expect(calls.map(({ uniqid, img_code }) => [uniqid, img_code])).toEqual(Array(2).fill(['u1', 'AB2C']))
  expect(calls[1]).toHaveProperty('nonce')
  expect(errors()).toEqual([])
})

it('puts a refused captcha on its field and frees the button at once', async () => {
  open({ 'verify/register': { code: 422, msg: '图形验证码错误或已失效，请重新输入', data: { field: 'img_code' } } })
  await user.type(screen.getByPlaceholderText('手机号码'), '13800000000')
  await user.type(field('图形验证码'), 'AB2C')
  await user.click(codeButton())
  await waitFor(() => expect(errors()).toContain('图形验证码错误或已失效，请重新输入'))
  expect(codeButton().textContent).toBe('获取验证码')
})

it('registers by e-mail, hides the form and leaves for the sign-in after two seconds, signed in and with the redirect', async () => {
  const { api, path } = open({}, '/register?redirect=%2Frouter%2Flists')
  expect(screen.getByRole('link', { name: '去登录' }).getAttribute('href')).toBe('/login?redirect=%2Frouter%2Flists')
  await user.click(screen.getByRole('tab', { name: '邮箱注册' }))
  await fillRest()
  await user.type(field('邮箱'), 'a@b.com')
  await askForCode()
  await user.type(field('邮箱验证码'), '123456')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.click(screen.getByRole('button', { name: '注册' }))
  for (let turn = 0; turn < 50 && screen.queryByText('注册成功') === null; turn++) await act(async () => {})
  expect(screen.queryByRole('button', { name: '注册' })).toBeNull()
  expect(api.last('account/register')?.input).toMatchObject({
    type: 'email',
    verify: 'a@b.com',
    code: '123456',
    uniqid: 'u1', // of the captcha that the code belongs to, not of the one drawn since
  })
  act(() => vi.advanceTimersByTime(REGISTER_REDIRECT_MS - 1))
  expect(path()).toBe('/register?redirect=%2Frouter%2Flists')
  await act(async () => vi.advanceTimersByTime(1))
  expect(path()).toBe('/login?redirect=%2Frouter%2Flists')
  expect(await knownSession()).toMatchObject({ status: 'signed-in', user: { username: 'qiming01' } })
})

it("puts the server's refusal on the field of the tab", async () => {
  open({ 'account/register': { code: 422, msg: '该手机号码已被使用，请更换', data: { field: 'verify' } } })
  await fillRest()
  await user.type(screen.getByPlaceholderText('手机号码'), '13800000000')
  await askForCode()
  await user.type(field('手机验证码'), '123456')
  await user.click(screen.getByRole('button', { name: '注册' }))
  await waitFor(() => expect(errors()).toContain('该手机号码已被使用，请更换'))
  expect(screen.getByPlaceholderText('手机号码').getAttribute('aria-invalid')).toBe('true')
})

it('wants a code that was asked for on this tab', async () => {
  const { api } = open()
  await fillRest()
  await user.type(screen.getByPlaceholderText('手机号码'), '13800000000')
  await askForCode()
  await user.click(screen.getByRole('tab', { name: '邮箱注册' }))
  await user.type(field('邮箱'), 'a@b.com')
  await user.type(field('邮箱验证码'), '123456')
  await user.click(screen.getByRole('button', { name: '注册' }))
  await waitFor(() => expect(errors()).toEqual(['请先获取验证码']))
  expect(api.paths()).not.toContain('account/register')
})

it('says on the field that a user name is somebody’s phone', async () => {
  open()
  await user.type(screen.getByPlaceholderText('手机号码'), '13800000000')
  await askForCode()
  await fillRest()
  await user.clear(field('用户名'))
  await user.type(field('用户名'), '13900000000')
  await user.type(field('手机验证码'), '123456')
  await user.click(screen.getByRole('button', { name: '注册' }))
  await waitFor(() => expect(errors()).toEqual(['用户名不能使用他人的手机号码，请更换']))
})

it.each([
  [{ clause: 'console', privacy: 'console' }, ['/clause', '/privacy']],
  [{ clause: '/legal/a-clause.md', privacy: '/legal/a-privacy.md' }, ['/clause', '/privacy']],
  [
    { clause: 'https://carrier.example/terms', privacy: 'https://carrier.example/privacy' },
    ['https://carrier.example/terms', 'https://carrier.example/privacy'],
  ],
])('asks for consent to the terms of the host: %o', async (terms, addresses) => {
  useTerms(terms)
  open()
  const links = screen.getAllByRole('link', { name: /^《/ })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(addresses)
  expect(screen.getByRole('checkbox').closest('label, div')?.textContent).toContain('我已阅读并同意')
})

it('a host without terms asks for no consent, and registers', async () => {
  useTerms(null)
  const { api } = open()
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.queryByText(/我已阅读并同意|《/)).toBeNull()
  await user.type(screen.getByPlaceholderText('手机号码'), '13800000000')
  await askForCode()
  await fillRest()
  await user.type(field('手机验证码'), '123456')
  await user.click(screen.getByRole('button', { name: '注册' }))
  await waitFor(() => expect(api.last('account/register')?.input).toMatchObject({ verify: '+86 13800000000' }))
})

it('proposes the new name to the sign-in page, and says the rule of the password', async () => {
  localStorage.clear()
  open()
  expect(field('密码').placeholder).toBe('6-18 位')
  await user.type(screen.getByPlaceholderText('手机号码'), '13800000000')
  await askForCode()
  await fillRest()
  await user.type(field('手机验证码'), '123456')
  await user.click(screen.getByRole('button', { name: '注册' }))
  await screen.findByText('注册成功')
  expect(lastSignIn()).toEqual({ mode: 'account', username: 'qiming01' })
})

it('says which trial seats came with the account', async () => {
  open({ 'account/register': { msg: '注册成功', data: { ...STARTED, trial: { seats: 3, days: 14 } } } })
  await user.type(screen.getByPlaceholderText('手机号码'), '13800000000')
  await askForCode()
  await fillRest()
  await user.type(field('手机验证码'), '123456')
  await user.click(screen.getByRole('button', { name: '注册' }))
  await screen.findByText('已开通 3 个试用席位，有效期 14 天')
})
