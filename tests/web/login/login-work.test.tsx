import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSession } from '../lib/fixtures.ts'

import { errors, fill, openLogin, submit } from './login-harness.tsx'

afterEach(() => localStorage.clear())

describe('proof of work after failures', () => {
  afterEach(() => vi.unstubAllGlobals())

  const signIns = ({ calls }: ReturnType<typeof openLogin>['api']) =>
    calls.filter(({ path }) => path === 'login/account')
  const bitsOf = async (uniqid: unknown, nonce: unknown) => {
    const text = new TextEncoder().encode(`${String(uniqid)}.${String(nonce)}`)
    return Math.clz32(new DataView(await crypto.subtle.digest('SHA-256', text)).getUint32(0))
  }
  const drawn = (difficulty: number) => () => ({
    data: { content: 'data:image/png;base64,AA==', uniqid: 'u1', difficulty },
  })
  const workRequired = (difficulty: number) => ({
    code: 401,
    reason: 'WORK_REQUIRED' as const,
    msg: '失败次数较多，请完成安全验证后重试',
    data: { field: 'code', difficulty },
  })

  it('runs beside the picture, says so, and goes along with the sign-in', async () => {
    const { api, address } = openLogin({ 'verify/code': drawn(6) })
    await screen.findByText('安全验证已完成')
    await fill()
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    const { uniqid, nonce } = api.last('login/account')!.input
    expect(await bitsOf(uniqid, nonce)).toBeGreaterThanOrEqual(6)
  })

  it('is done when the answer asks for it, and the call repeated with the same captcha: nobody types twice', async () => {
    const { api, address } = openLogin({
      'login/account': ({ input }) => ('nonce' in input ? { data: createSession() } : workRequired(7)),
    })
    await fill()
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    const calls = signIns(api).map(({ input }) => input)
    expect(calls).toEqual([
      { username: 'demo01', password: 'Demo2026', code: 'AB2C', uniqid: 'u1' },
      { username: 'demo01', password: 'Demo2026', code: 'AB2C', uniqid: 'u1', nonce: expect.any(String) as string },
    ])
    expect(await bitsOf('u1', calls[1]!['nonce'])).toBeGreaterThanOrEqual(7)
    expect(api.paths().filter((path) => path === 'verify/code')).toHaveLength(1)
  })

  it('shows 计算中 while it lasts, and keeps the button locked', async () => {
    vi.stubGlobal('Worker', SilentWorker)
    openLogin({ 'login/account': workRequired(18) })
    await fill()
    await submit()
    expect((await screen.findByText('安全验证计算中，请稍候…')).getAttribute('role')).toBe('status')
    expect(errors()).toEqual([])
    expect(screen.getByRole('button', { name: /登录/ }).className).toContain('semi-button-loading')
  })

  it('ends on the field when it is refused again, with another captcha', async () => {
    const { api } = openLogin({ 'login/account': workRequired(4) })
    await fill()
    await submit()
    await waitFor(() => expect(errors()).toEqual(['失败次数较多，请完成安全验证后重试']))
    expect(signIns(api)).toHaveLength(2)
    await waitFor(() => expect(api.paths().filter((path) => path === 'verify/code')).toHaveLength(2))
    expect(screen.queryByText(/安全验证已完成/)).toBeNull()
  })
})

/** A worker that is still computing. */
class SilentWorker {
  addEventListener() {}
  postMessage() {}
}
