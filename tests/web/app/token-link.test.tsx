import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { failing } from '../lib/fake-api.ts'
import { createSession } from '../lib/fixtures.ts'
import { openApp } from './open-app.tsx'

const REFUSED = { code: 2003, msg: '授权链接无效或已过期，请重新获取' }
const SIGNED_IN = { 'login/refresh': { data: createSession() } }

/** The server's side of a token link: good once. */
function onceOnly(seen: string[] = []) {
  let uses = 0
  return () => {
    seen.push(location.search)
    return uses++ === 0 ? { data: createSession({ username: 'demo02' }) } : REFUSED
  }
}

afterEach(() => vi.unstubAllGlobals())

it.each([
  ['/login?token=abc', '/dashboard'],
  ['/login/index?token=abc', '/dashboard'],
  ['/?token=abc', '/dashboard'],
  ['/dashboard?token=abc', '/dashboard'],
  ['/account/message?token=abc&page=2', '/account/message?page=2'],
  ['/register?token=abc', '/dashboard'],
  ['/clause?token=abc', '/dashboard'],
  ['/no/such/page?token=abc', '/dashboard'],
  ['/login?token=abc&redirect=%2Faccount%2Fservice%3Fx%3D1', '/account/service?x=1'],
  ['/account/message?token=abc&redirect=%2Faccount%2Fservice', '/account/service'],
])('exchanges the token of %s once, signed in or not, and leads to %s', async (address, expected) => {
  for (const session of [{}, SIGNED_IN]) {
    const seen: string[] = []
    const app = await openApp(address, {
      ...session,
      'login/authorization': onceOnly(seen),
    })
    await waitFor(() => expect(app.address()).toBe(expected))
    await screen.findByRole('navigation', { name: '主菜单' })
    expect(app.firstToasts).toEqual([['授权成功', undefined]])
    expect(app.toasts().flat()).not.toContain('授权失败')
    expect(seen).toHaveLength(1)
    expect(seen[0]).not.toContain('token') // gone from the address bar before anything is sent
    expect(app.api.last('login/authorization')?.input).toEqual({ token: 'abc' })
    expect(app.api.paths().filter((path) => path === 'login/logout')).toHaveLength(session === SIGNED_IN ? 1 : 0)
  }
})

it('signs out the current user before it exchanges the token (account 2)', async () => {
  const app = await openApp('/account/message?token=abc', { ...SIGNED_IN, 'login/authorization': onceOnly() })
  await screen.findByRole('navigation', { name: '主菜单' })
  const order = app.api.paths().filter((path) => path.startsWith('login/'))
  expect(order).toEqual(['login/refresh', 'login/logout', 'login/authorization'])
})

it('shows 授权失败 with the reason, signs out and shows the form (account 4)', async () => {
  const app = await openApp('/login?token=bad&from=mail', { 'login/authorization': REFUSED })
  await screen.findByRole('button', { name: '登录' })
  expect(app.address()).toBe('/login?from=mail')
  expect(app.firstToasts).toEqual([['授权失败', REFUSED.msg]])
  expect(app.api.paths()).toContain('login/logout')
})

it('asks for the second step on the login page, and leads to where the link was opened', async () => {
  const app = await openApp('/account/message?token=abc', {
    'login/authorization': { code: 401, reason: 'TOTP_REQUIRED', msg: '请输入动态验证码', data: { ticket: 't1' } },
    'login/totp': { data: createSession({ username: 'demo02' }) },
  })
  const code = await screen.findByLabelText('动态验证码')
  expect(app.firstToasts).toEqual([])
  expect(app.api.paths()).not.toContain('login/logout')
  await userEvent.type(code, '123456{Enter}')
  await waitFor(() => expect(app.address()).toBe('/account/message'))
  expect(app.api.last('login/totp')?.input).toEqual({ ticket: 't1', code: '123456' })
})

it('a link without an answer stays good: the page offers 重试, and forgets it once it was refused', async () => {
  const answers = [failing(new TypeError('Failed to fetch')), failing(new TypeError('Failed to fetch')), onceOnly()]
  const app = await openApp('/account/message?token=abc', {
    'login/authorization': () => (answers.shift() ?? (() => REFUSED))() as object,
  })
  expect(app.firstToasts[0]?.[0]).toBe('授权失败')
  expect(app.address()).toBe('/login?redirect=%2Faccount%2Fmessage')
  expect(app.api.paths()).not.toContain('login/logout')
  await userEvent.click(await screen.findByRole('button', { name: '重试' }))
  await waitFor(() => expect(app.api.paths().filter((path) => path === 'login/authorization')).toHaveLength(2))
  await userEvent.click(await screen.findByRole('button', { name: '重试' }))
  await waitFor(() => expect(app.address()).toBe('/account/message'))
  expect(app.api.last('login/authorization')?.input).toEqual({ token: 'abc' })
})

it('a refused link offers no other try', async () => {
  await openApp('/login?token=bad', { 'login/authorization': REFUSED })
  await screen.findByRole('button', { name: '登录' })
  expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
})

describe('a session that is dead when the page loads', () => {
  const EXPIRED = ['登录已过期，请重新登录!', undefined]
  const GONE = { code: 2003, msg: '请先登录' }
  const remember = () => localStorage.setItem('netloom.signed-in', '1')
  afterEach(() => localStorage.clear())

  it('says so once, where this browser was signed in (account 4, 8)', async () => {
    remember()
    const app = await openApp('/account/contacts', { 'login/refresh': GONE })
    await waitFor(() => expect(app.address()).toBe('/login?redirect=%2Faccount%2Fcontacts'))
    expect(app.toasts()).toEqual([EXPIRED])
    expect((await openApp('/account/contacts', { 'login/refresh': GONE })).toasts()).toEqual([])
  })

  it('says nothing to a visitor, and nothing where a link signs in again', async () => {
    const visitor = await openApp('/account/contacts', { 'login/refresh': GONE })
    await waitFor(() => expect(visitor.address()).toContain('/login'))
    expect(visitor.toasts()).toEqual([])
    remember()
    const app = await openApp('/login?token=abc', { 'login/refresh': GONE, 'login/authorization': onceOnly() })
    expect(app.firstToasts).toEqual([['授权成功', undefined]])
  })

  it('says nothing while no answer comes', async () => {
    remember()
    const app = await openApp('/account/contacts', { 'login/refresh': failing(new TypeError('Failed to fetch')) })
    expect(app.toasts()).toEqual([])
    expect(localStorage.getItem('netloom.signed-in')).toBe('1')
  })
})
