import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { toastStore } from '#lib/toast/toast.ts'
import { createSession } from '../lib/fixtures.ts'
import { errors, field, fill, openLogin, submit, user } from './login-harness.tsx'

afterEach(() => localStorage.clear())

const asks = (reason: 'TOTP_REQUIRED' | 'TOTP_ENROL_REQUIRED') => ({
  code: 401,
  reason,
  msg: '请输入动态验证码',
  data: { ticket: 't1' },
})
const ENDED = { code: 422, reason: 'LOGIN_TICKET_BAD' as const, msg: '登录验证已失效，请重新登录' }

async function openStep(handlers: Parameters<typeof openLogin>[0] = {}) {
  const opened = openLogin(
    { 'login/account': asks('TOTP_REQUIRED'), 'login/totp': { data: createSession() }, ...handlers },
    '/login?redirect=%2Fnetwork%2Flists',
  )
  await fill()
  await submit()
  await screen.findByRole('heading', { name: '两步验证' })
  return opened
}

describe('design 6 · the second step of a sign-in', () => {
  it('takes the place of the form; Enter sends the code, which leads to where the visitor wanted', async () => {
    const { api, address } = await openStep()
    expect(field('动态验证码').autocomplete).toBe('one-time-code')
    await waitFor(() => expect(document.activeElement).toBe(field('动态验证码')))
    await user.type(field('动态验证码'), '123 456')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/network/lists'))
    expect(api.last('login/totp')?.input).toEqual({ ticket: 't1', code: '123456' })
    expect(localStorage.getItem('netloom.last-sign-in')).toBe('account demo01')
    expect(toastStore.get()).toEqual([])
  })

  it('refuses nothing and a short code on the field, and calls nothing', async () => {
    const { api } = await openStep()
    await submit()
    await waitFor(() => expect(errors()).toEqual(['动态验证码不能为空']))
    await user.type(field('动态验证码'), '123')
    await submit()
    await waitFor(() => expect(errors()).toEqual(['验证码长度必须为6位']))
    expect(api.paths()).not.toContain('login/totp')
  })

  it('shows a wrong code on the field, and stays', async () => {
    const wrong = { code: 422, msg: '动态验证码错误或已使用，请输入最新的验证码', data: { field: 'code' } }
    const { address } = await openStep({ 'login/totp': wrong })
    await user.type(field('动态验证码'), '123456')
    await submit()
    await waitFor(() => expect(errors()).toEqual([wrong.msg]))
    expect(field('动态验证码').value).toBe('')
    expect(address()).toContain('/login')
  })

  it('takes a recovery code instead, and the other way round', async () => {
    const { api, address } = await openStep()
    await user.click(screen.getByRole('button', { name: '使用恢复码' }))
    expect(screen.queryByLabelText('动态验证码')).toBeNull()
    await user.click(screen.getByRole('button', { name: '使用动态验证码' }))
    await user.click(screen.getByRole('button', { name: '使用恢复码' }))
    await user.type(field('恢复码'), 'abcde-2345')
    await submit()
    await waitFor(() => expect(errors()).toEqual(['恢复码为10位字母和数字，请核对']))
    await user.type(field('恢复码'), '6')
    await submit()
    await waitFor(() => expect(address()).toBe('/network/lists'))
    expect(api.last('login/totp')?.input).toEqual({ ticket: 't1', recovery_code: 'ABCDE23456' })
  })

  it('返回 leads to the form with what was typed, and another captcha', async () => {
    const { api } = await openStep()
    await user.click(screen.getByRole('button', { name: '返回' }))
    expect(field('用户名').value).toBe('demo01')
    expect(errors()).toEqual([])
    await waitFor(() => expect(api.paths().filter((path) => path === 'verify/code')).toHaveLength(2))
    await waitFor(() => expect(field('验证码').value).toBe(''))
  })

  it('a ticket that is no longer good leads back with a sentence, until the next try', async () => {
    const { api } = await openStep({ 'login/totp': ENDED })
    await user.type(field('动态验证码'), '123456')
    await submit()
    await waitFor(() => expect(errors()).toEqual([ENDED.msg]))
    expect(field('用户名').value).toBe('demo01')
    api.set('login/account', { code: 422, msg: '用户名或密码错误', data: { field: 'password' } })
    await waitFor(() => expect(field('验证码').value).toBe(''))
    await user.type(field('验证码'), 'AB2C')
    await submit()
    await waitFor(() => expect(errors()).toEqual(['用户名或密码错误']))
  })
})

describe('design 6 · a second factor that is required and not set', () => {
  const SETUP = { secret: 'GEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ', setup: 'sealed' }
  const CODES = ['ABCDE-23456', 'FGHJK-34567']
  const openEnrolment = async (handlers: Parameters<typeof openLogin>[0] = {}) => {
    const opened = openLogin({
      'login/account': asks('TOTP_ENROL_REQUIRED'),
      'login/totp_setup': { data: SETUP },
      'login/totp_enable': { data: { ...createSession(), recovery_codes: CODES } },
      ...handlers,
    })
    await fill()
    await submit()
    await screen.findByRole('heading', { name: '设置两步验证' })
    return opened
  }

  it('is set up by QR code or text, confirmed by a code, and the recovery codes are shown before the console', async () => {
    const { api, address } = await openEnrolment()
    const picture = await screen.findByRole('img', { name: /两步验证的二维码/ })
    expect(decodeURIComponent(picture.getAttribute('src')!)).toContain('<svg')
    screen.getByText(SETUP.secret)
    await user.type(field('动态验证码'), '123456')
    await user.keyboard('{Enter}')
    const list = await screen.findByRole('list', { name: '恢复码' })
    expect([...list.children].map(({ textContent }) => textContent)).toEqual(CODES)
    expect(address()).toBe('/login')
    expect(api.last('login/totp_enable')?.input).toEqual({ ticket: 't1', setup: 'sealed', code: '123456' })
    expect(api.paths().filter((path) => path === 'login/totp_setup')).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: '已保存，进入控制台' }))
    await waitFor(() => expect(address()).toBe('/'))
  })

  it('says that the secret could not be read, and reads it again', async () => {
    const { api } = await openEnrolment({ 'login/totp_setup': { code: 500, msg: '系统异常,请稍候尝试!' } })
    await screen.findByText('系统异常,请稍候尝试!')
    api.set('login/totp_setup', { data: SETUP })
    await user.click(screen.getByRole('button', { name: '重试' }))
    await screen.findByText(SETUP.secret)
  })

  it('a ticket that is no longer good leads back with a sentence', async () => {
    openLogin({ 'login/account': asks('TOTP_ENROL_REQUIRED'), 'login/totp_setup': ENDED })
    await fill()
    await submit()
    await waitFor(() => expect(errors()).toEqual([ENDED.msg]))
    expect(field('用户名').value).toBe('demo01')
  })
})
