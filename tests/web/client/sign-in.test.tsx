import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { SIGNED_IN, SIGNED_OUT, openClient } from './open-client.tsx'

vi.mock('#lib/proof-of-work/proof-of-work.ts', () => ({ solveChallenge: async () => 'nonce' }))

const CHALLENGE = { 'verify/challenge': { data: { challenge: 'c', difficulty: 4 } } }

it('signs in by password; the refresh token stays in the cookie', async () => {
  const { api, user } = openClient(SIGNED_OUT)
  await user.type(await screen.findByLabelText('账号'), 'li.na@qiming')
  await user.type(screen.getByLabelText('密码'), 'Weilai26')
  await user.click(screen.getByRole('button', { name: '登录' }))
  expect(await screen.findByRole('heading', { name: '办公网' })).not.toBeNull()
  expect(api.last('client/login')?.input).toMatchObject({
    username: 'li.na@qiming',
    password: 'Weilai26',
    keep: 'cookie',
  })
  expect(api.last('client/profile')?.token).toBe('Bearer t')
})

it('shows the sentence of a refusal, and solves the work that the service asks for', async () => {
  const { api, user } = openClient({
    ...SIGNED_OUT,
    ...CHALLENGE,
    'client/login': ({ input }) =>
      input['nonce'] === undefined
        ? { code: 422, msg: '请完成安全验证', reason: 'WORK_REQUIRED', data: { difficulty: 4 } }
        : { code: 422, msg: '账号或密码错误', reason: 'LOGIN_FAILED' },
  })
  await user.type(await screen.findByLabelText('账号'), 'a@b')
  await user.type(screen.getByLabelText('密码'), 'x')
  await user.click(screen.getByRole('button', { name: '登录' }))
  expect((await screen.findByRole('alert')).textContent).toBe('账号或密码错误')
  expect(api.last('client/login')?.input).toMatchObject({ challenge: 'c', nonce: 'nonce' })
})

it('signs in by a code; of several members of the phone one is chosen', async () => {
  const choices = [
    { router_name: 'a@q', note: '李娜', status: 1 },
    { router_name: 'b@q', note: '', status: 0 },
  ]
  const { api, user } = openClient({ ...SIGNED_OUT, ...CHALLENGE, 'client/phone': { data: { uniqid: 'u' } } })
  await user.click(await screen.findByRole('button', { name: '手机验证码' }))
  await user.type(screen.getByLabelText('手机号码'), '13800000000')
  await user.click(screen.getByRole('button', { name: '发送验证码' }))
  expect(await screen.findByRole('button', { name: /秒后重发/ })).toHaveProperty('disabled', true)
  expect(api.last('client/phone')?.input).toEqual({
    area_code: '86',
    phone: '13800000000',
    challenge: 'c',
    nonce: 'nonce',
  })
  const done = { data: { session: { router_name: 'a@q', access_token: 't' }, choices: [] } }
  api.set('client/phone_login', ({ input }) =>
    input['router_name'] === 'a@q' ? done : { data: { session: null, choices } },
  )
  await user.type(screen.getByLabelText('验证码'), '123456')
  await user.click(screen.getByRole('button', { name: '登录' }))
  expect(await screen.findByRole('button', { name: 'b@q 已停用' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: '李娜（a@q）' }))
  expect(await screen.findByRole('heading', { name: '办公网' })).not.toBeNull()
})

it('signs in by an auth source: shows the code, and goes on when the vendor is done', async () => {
  const { api, user } = openClient({
    ...SIGNED_OUT,
    'client/auth_source': { data: [{ id: 3, type: 'wechat', name: '企业微信' }] },
    'client/auth/start': {
      data: { url: 'https://vendor.test/', request_id: 'r', confirm_code: '123456', expires_in: 300, interval: 0.01 },
    },
    'client/auth/token': { data: { status: 'pending', session: null } },
  })
  await user.click(await screen.findByRole('button', { name: '企业账号' }))
  await user.type(screen.getByLabelText('企业认证ID'), 'K7Q2-9XTM')
  await user.click(screen.getByRole('button', { name: '下一步' }))
  await user.click(await screen.findByRole('button', { name: '企业微信' }))
  expect(await screen.findByText('123 456')).not.toBeNull()
  expect(screen.getByRole('link', { name: '打开登录页面' }).getAttribute('href')).toBe('https://vendor.test/')
  await waitFor(() => expect(api.last('client/auth/token')).toBeDefined())
  api.set('client/auth/token', { data: { status: 'done', session: { router_name: 'a@q', access_token: 't' } } })
  expect(await screen.findByRole('heading', { name: '办公网' })).not.toBeNull()
  const { challenge } = api.last('client/auth/start')!.input
  const { verifier, keep } = api.last('client/auth/token')!.input
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(String(verifier)))
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)))
  expect(challenge).toBe(text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))
  expect(keep).toBe('cookie')
})

it('a final refusal of the vendor ends the waiting', async () => {
  const { api, user } = openClient({
    ...SIGNED_OUT,
    'client/auth_source': { data: [{ id: 3, type: 'wechat', name: '企业微信' }] },
    'client/auth/start': {
      data: { url: 'https://vendor.test/', request_id: 'r', confirm_code: '123456', expires_in: 300, interval: 0.01 },
    },
    'client/auth/token': { code: 403, msg: '不是本人操作' },
  })
  await user.click(await screen.findByRole('button', { name: '企业账号' }))
  await user.type(screen.getByLabelText('企业认证ID'), 'K7Q2-9XTM')
  await user.click(screen.getByRole('button', { name: '下一步' }))
  await user.click(await screen.findByRole('button', { name: '企业微信' }))
  expect(await screen.findByText('不是本人操作')).not.toBeNull()
  const count = api.paths().length
  await new Promise((done) => setTimeout(done, 50))
  expect(api.paths()).toHaveLength(count)
})

it('a session that is over leads back to the sign-in; the access token alone is renewed once', async () => {
  let isOver = true
  const { api, unmount } = openClient({
    ...SIGNED_IN,
    'client/profiles': () => {
      if (!isOver) return { data: [] }
      isOver = false
      return { code: 2001, msg: '登录已过期', reason: 'TOKEN_EXPIRED' }
    },
  })
  expect(await screen.findByRole('heading', { name: '办公网' })).not.toBeNull()
  expect(api.paths().filter((path) => path === 'client/refresh')).toHaveLength(2)
  unmount()
  openClient({ ...SIGNED_IN, 'client/profiles': { code: 2002, msg: '登录状态已失效' } })
  expect(await screen.findByRole('heading', { name: '登录' })).not.toBeNull()
})

it('without an answer it says so, and tries again', async () => {
  const { api, user } = openClient({
    'client/refresh': () => {
      throw new Error('offline')
    },
  })
  await screen.findByRole('alert')
  api.set('client/refresh', SIGNED_IN['client/refresh']!)
  await user.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('heading', { name: '办公网' })).not.toBeNull()
})

it('signs out', async () => {
  const { api, user } = openClient(SIGNED_IN)
  await user.click(await screen.findByRole('button', { name: '退出登录' }))
  expect(await screen.findByRole('heading', { name: '登录' })).not.toBeNull()
  expect(api.last('client/logout')?.input).toEqual({})
})
