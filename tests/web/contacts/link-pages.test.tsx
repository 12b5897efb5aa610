import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { RefuseMailsPage, UnsubscribePage, ValidateEmailPage } from '#pages/contacts/mail-link-pages.tsx'
import { failing, fakeApi } from '../lib/fake-api.ts'

const BAD = { code: 404, msg: '链接无效或已过期，请在联系人中重新发送' }

function open(path: string, handlers: Parameters<typeof fakeApi>[0]) {
  const api = fakeApi(handlers)
  const routes = [
    { path: '/validate/email', element: <ValidateEmailPage /> },
    { path: '/validate/unsubscribe', element: <UnsubscribePage /> },
    { path: '/validate/refuse', element: <RefuseMailsPage /> },
  ]
  render(
    <StrictMode>
      <RouterProvider router={createMemoryRouter(routes, { initialEntries: [path] })} />
    </StrictMode>,
  )
  return api
}

describe('account 2 · /validate/email', () => {
  it('posts the s of the address, and shows the message with the image of success', async () => {
    const api = open('/validate/email?s=abc_1', { 'contacts/validate_email': { msg: '已验证' } })
    expect(await screen.findByText('已验证')).not.toBeNull()
    expect(screen.getByRole('img', { name: '成功' })).not.toBeNull()
    expect(api.last('contacts/validate_email')).toMatchObject({ method: 'POST', input: { s: 'abc_1' }, token: null })
  })

  it.each(['?s=old', ''])('shows the refusal with the image of failure: %s', async (query) => {
    open(`/validate/email${query}`, { 'contacts/validate_email': BAD })
    expect(await screen.findByText(BAD.msg)).not.toBeNull()
    expect(screen.getByRole('img', { name: '失败' })).not.toBeNull()
    expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
  })

  it('may be tried again where the server was not reached', async () => {
    const api = open('/validate/email?s=abc', { 'contacts/validate_email': failing(new Error('offline')) })
    const retry = await screen.findByRole('button', { name: '重试' })
    expect(screen.getByText('系统响应超时,请稍候尝试')).not.toBeNull()
    api.set('contacts/validate_email', { msg: '已验证' })
    await userEvent.click(retry)
    expect(await screen.findByText('已验证')).not.toBeNull()
  })
})

describe('account 4 · the page behind a link to unsubscribe', () => {
  it('asks nothing of the server until its button is pressed', async () => {
    const api = open('/validate/unsubscribe?s=u.1', { 'contacts/unsubscribe': { msg: '已退订' } })
    const button = await screen.findByRole('button', { name: '确认退订' })
    expect(api.calls).toEqual([])
    await userEvent.click(button)
    expect(await screen.findByText('已退订')).not.toBeNull()
    expect(api.last('contacts/unsubscribe')).toMatchObject({ input: { s: 'u.1' } })
    await waitFor(() => expect(screen.queryByRole('button', { name: '确认退订' })).toBeNull())
  })

  it('shows a refusal', async () => {
    const msg = '退订链接无效或已失效，请使用最近一封邮件中的退订链接'
    open('/validate/unsubscribe', { 'contacts/unsubscribe': { code: 404, msg } })
    await userEvent.click(await screen.findByRole('button', { name: '确认退订' }))
    expect(await screen.findByText(msg)).not.toBeNull()
    expect(screen.getByRole('img', { name: '失败' })).not.toBeNull()
  })
})

describe('account 2 · the page behind the link that ends verification mails', () => {
  it('asks nothing of the server until its button is pressed, and takes it back by another', async () => {
    const api = open('/validate/refuse?s=a.1', {
      'contacts/refuse_mails': { msg: '已停止接收' },
      'contacts/accept_mails': { msg: '已恢复接收' },
    })
    const button = await screen.findByRole('button', { name: '不再接收验证邮件' })
    expect(api.calls).toEqual([])
    await userEvent.click(button)
    expect(await screen.findByText('已停止接收')).not.toBeNull()
    expect(api.last('contacts/refuse_mails')).toMatchObject({ input: { s: 'a.1' } })
    await userEvent.click(await screen.findByRole('button', { name: '恢复接收' }))
    expect(await screen.findByText('已恢复接收')).not.toBeNull()
    expect(screen.getByRole('button', { name: '不再接收验证邮件' })).not.toBeNull()
  })

  it('shows a refusal', async () => {
    const msg = '链接无效，请使用验证邮件中的完整链接'
    open('/validate/refuse', { 'contacts/refuse_mails': { code: 404, msg } })
    await userEvent.click(await screen.findByRole('button', { name: '不再接收验证邮件' }))
    expect(await screen.findByText(msg)).not.toBeNull()
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
  })
})
