import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { toastStore } from '#lib/toast/toast.ts'

import { errors, field, fill, openLogin, submit, user } from './login-harness.tsx'

afterEach(() => localStorage.clear())

describe('rules (account 5)', () => {
  it('requires every field, and calls nothing', async () => {
    const { api } = openLogin()
    await submit()
    await waitFor(() => expect(errors()).toEqual(['用户名不能为空', '密码不能为空', '验证码不能为空']))
    expect(api.paths()).toEqual(['verify/code'])
  })

  it.each([
    ['demo01', '12345', 'AB2C', '密码长度6-18位'],
    ['demo01', 'Demo2026', 'AB2', '验证码的长度必须为4位'],
  ])('%s / %s / %s: %s', async (username, password, code, message) => {
    openLogin()
    await fill(username, password, code)
    await submit()
    await waitFor(() => expect(errors()).toEqual([message]))
  })

  it('cuts neither captcha nor password: what is too long is refused', async () => {
    openLogin()
    await fill('demo01', 'x'.repeat(20), 'A-B 2c9')
    expect(field('验证码').value).toBe('AB2c9')
    expect(field('密码').value).toHaveLength(20)
    await user.keyboard('{Enter}')
    await screen.findByText('密码长度6-18位')
    screen.getByText('验证码的长度必须为4位')
  })
})

describe('signing in', () => {
  it('trims, sends the captcha along, and goes where the visitor wanted', async () => {
    const { api, address } = openLogin({}, '/login?redirect=%2Fnetwork%2Flists%3Fpage%3D2')
    await fill('  demo01 ')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/network/lists?page=2'))
    expect(api.last('login/account')?.input).toEqual({
      username: 'demo01',
      password: 'Demo2026',
      code: 'AB2C',
      uniqid: 'u1',
    })
  })

  it('signs in sub-accounts by their own call', async () => {
    const { api, address } = openLogin()
    await user.click(screen.getByRole('tab', { name: '子账号登录' }))
    await fill('ops@demo01')
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    expect(api.paths()).toContain('login/ram')
    expect(api.paths()).not.toContain('login/account')
  })

  it('marks the field, clears the code and draws another captcha after a refusal', async () => {
    const { api, address } = openLogin({
      'login/account': { code: 422, msg: '用户名或密码错误', data: { field: 'password' } },
    })
    await fill()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(api.paths().filter((path) => path === 'verify/code')).toHaveLength(2))
    await waitFor(() => expect(field('验证码').value).toBe(''))
    expect(errors()).toEqual(['用户名或密码错误']) // the code they had typed right is nothing to complain of
    expect(field('用户名').value).toBe('demo01')
    expect(address()).toBe('/login')
  })

  it('says when to come back where too many sign in, keeps what was typed and draws another captcha', async () => {
    const busy = { code: 429, msg: '当前请求较多，请3秒后重试', data: { retry_after: 3 } }
    const { api } = openLogin({ 'login/account': busy })
    await fill()
    await submit()
    await waitFor(() => expect(errors()).toEqual([busy.msg]))
    await waitFor(() => expect(api.paths().filter((path) => path === 'verify/code')).toHaveLength(2))
    expect([field('用户名').value, field('密码').value]).toEqual(['demo01', 'Demo2026'])
  })

  it('keeps saying that the captcha was wrong while another one is drawn', async () => {
    const refusal = { code: 422, msg: '图形验证码错误或已失效，请重新输入', data: { field: 'code' } }
    openLogin({ 'login/account': refusal })
    await fill()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(field('验证码').value).toBe(''))
    expect(errors()).toEqual([refusal.msg])
  })

  it('sends one request however often it is pressed', async () => {
    const { api } = openLogin({ 'login/account': () => new Promise(() => {}) })
    await fill()
    await submit()
    await user.keyboard('{Enter}')
    expect(api.paths().filter((path) => path === 'login/account')).toHaveLength(1)
  })

  it('draws another captcha on click', async () => {
    const { api } = openLogin()
    await user.click(await screen.findByRole('button', { name: /图形验证码/ }))
    await waitFor(() => expect(api.paths()).toEqual(['verify/code', 'verify/code']))
  })

  it('offers proof of work as captcha alternative', async () => {
    const { api, address } = openLogin({
      'verify/challenge': { data: { challenge: 'login.1.a.b', difficulty: 4 } },
      'verify/proof': { data: { uniqid: 'confirmed-id', code: 'QW3E' } },
    })
    await user.click(screen.getByRole('button', { name: /无障碍验证/ }))
    await screen.findByText('无障碍验证已通过')
    await user.type(field('用户名'), 'demo01')
    await user.type(field('密码'), 'Demo2026')
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    expect(api.last('login/account')?.input).toMatchObject({ uniqid: 'confirmed-id', code: 'QW3E' })
  })

  const noPictures = (refusal: { code: number; reason: ErrorKey; msg: string; data?: object }) => ({
    'verify/code': refusal,
    'verify/challenge': { data: { challenge: 'login.1.a.b', difficulty: 4 } },
    'verify/proof': { data: { uniqid: 'confirmed-id', code: 'QW3E' } },
  })
  const USED_UP = {
    code: 429,
    reason: 'TOO_OFTEN',
    msg: '操作过于频繁，请60秒后重试',
    data: { retry_after: 60 },
  } as const

  it.each([
    ['others have used up the pictures of the address', USED_UP],
    [
      'the network of the address is busy',
      { ...USED_UP, reason: 'ADDRESS_BUSY', msg: '当前网络的请求过多，请45秒后重试' },
    ],
    ['no pictures are drawn', { code: 401, reason: 'CAPTCHA_BY_WORK', msg: '图形验证码暂停使用，请完成无障碍验证' }],
  ] as const)('begins it by itself where %s', async (_, refusal) => {
    const { api, address } = openLogin(noPictures(refusal))
    await screen.findByText('无障碍验证已通过')
    expect(screen.queryByText(refusal.msg)).toBeNull()
    await user.type(field('用户名'), 'demo01')
    await user.type(field('密码'), 'Demo2026')
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    expect(api.last('login/account')?.input).toMatchObject({ uniqid: 'confirmed-id', code: 'QW3E' })
  })

  it('shows that it runs, and stops when it is cancelled', async () => {
    const ended = vi.fn<() => void>()
    class EndlessWorker {
      addEventListener() {}
      postMessage() {}
      terminate = ended
    }
    vi.stubGlobal('Worker', EndlessWorker)
    const { api } = openLogin({
      ...noPictures(USED_UP),
      'verify/challenge': { data: { challenge: 'login.1.a.b', difficulty: 30 } },
    })
    expect((await screen.findByText('正在验证，请稍候…')).getAttribute('role')).toBe('status')
    await user.click(screen.getByRole('button', { name: '取消验证' }))
    await screen.findByRole('button', { name: /无障碍验证/ })
    await waitFor(() => expect(ended).toHaveBeenCalledOnce())
    expect(api.paths()).not.toContain('verify/proof')
    screen.getByText('操作过于频繁，请60秒后重试')
    vi.unstubAllGlobals()
  })
})

describe('the form', () => {
  const onDesktop = () => vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {} }))
  afterEach(() => vi.unstubAllGlobals())

  it('focuses its first field on a desktop, and no field on a phone, where that would open the keyboard', async () => {
    openLogin()
    expect(document.activeElement).toBe(document.body)
    cleanup()
    onDesktop()
    openLogin()
    await waitFor(() => expect(document.activeElement).toBe(field('用户名')))
  })

  it('keeps the last user name and its kind of account, never the password', async () => {
    onDesktop()
    const { address } = openLogin()
    await user.click(screen.getByRole('tab', { name: '子账号登录' }))
    await fill('ops@demo01')
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    expect(Object.values({ ...localStorage }).join()).not.toContain('Demo2026')
    cleanup()

    openLogin()
    screen.getByRole('tab', { name: '子账号登录', selected: true })
    expect([field('用户名').value, field('密码').value]).toEqual(['ops@demo01', ''])
    await waitFor(() => expect(document.activeElement).toBe(field('密码')))
  })

  it('forgets the errors of the other kind of account', async () => {
    openLogin()
    await submit()
    await waitFor(() => expect(errors()).toHaveLength(3))
    await user.click(screen.getByRole('tab', { name: '子账号登录' }))
    expect(errors()).toEqual([])
  })

  it('says one failure once', async () => {
    openLogin({ 'login/account': { code: 500, msg: '系统异常' } })
    await fill()
    await submit()
    await waitFor(() => expect(errors()).toEqual([expect.stringContaining('系统异常')]))
    await waitFor(() => expect(field('验证码').value).toBe('')) // later than a toast would have come
    expect(toastStore.get()).toEqual([])
  })

  it('says in the box that there is no captcha, and draws one on click, or once the network is back', async () => {
    const { api } = openLogin({ 'verify/code': { code: 500, msg: '系统异常' } })
    const box = await screen.findByRole('button', { name: '图形验证码加载失败，点击重试' })
    expect(box.textContent).toBe('点击重试')
    expect(screen.queryByText('系统异常')).not.toBeNull()
    expect(toastStore.get()).toEqual([])
    await user.click(box)
    await waitFor(() => expect(api.paths()).toHaveLength(2))

    await screen.findByRole('button', { name: /加载失败/ })
    api.set('verify/code', { data: { content: 'data:image/png;base64,AA==', uniqid: 'u9' } })
    dispatchEvent(new Event('online'))
    await screen.findByRole('button', { name: '图形验证码，看不清？点击换一张' })
    expect(screen.queryByText('系统异常')).toBeNull()
  })
})
