import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { createMemoryRouter, Link, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { ConfirmHost } from '#ui/dialog/confirm.tsx'
import { endSession } from '#lib/session/session.ts'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'

const QUESTION = '放弃未保存的修改？'
const user = userEvent.setup()

function Editor({ isDirty }: { readonly isDirty: boolean }) {
  useLeaveGuard(isDirty)
  return (
    <>
      <Link to="/other">别处</Link>
      <Link to="?page=2">下一页</Link>
    </>
  )
}

function open(isDirty: boolean) {
  const routes = [
    { path: '/before', element: '之前' },
    { path: '/edit', element: <Editor isDirty={isDirty} /> },
    { path: '/other', element: '到了' },
  ]
  const router = createMemoryRouter(routes, { initialEntries: ['/before', '/edit'] })
  render(
    <StrictMode>
      <RouterProvider router={router} />
      <ConfirmHost />
    </StrictMode>,
  )
  return router
}
const closeTab = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('does not block a page without unsaved input', async () => {
  open(false)
  expect(closeTab()).toBe(false)
  await user.click(screen.getByRole('link', { name: '别处' }))
  await screen.findByText('到了')
})

it('asks once, remains after 继续编辑, and asks again the next time', async () => {
  const router = open(true)
  for (let tries = 0; tries < 2; tries++) {
    await user.click(screen.getByRole('link', { name: '别处' }))
    await screen.findByRole('alertdialog', { name: QUESTION })
    await user.click(screen.getByRole('button', { name: '继续编辑' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull()) // one question, not one for each run of the effect
    expect(router.state.location.pathname).toBe('/edit')
  }
})

it('navigates after the confirmation', async () => {
  const router = open(true)
  await act(() => router.navigate(-1))
  await user.click(await screen.findByRole('button', { name: '放弃修改' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/before'))
})

it('asks before the tab closes, and not when only the query of the page changes', async () => {
  const router = open(true)
  expect(closeTab()).toBe(true)
  await user.click(screen.getByRole('link', { name: '下一页' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(router.state.location.search).toBe('?page=2')
})

it('does not hold back who has been signed out', async () => {
  const router = open(true)
  await act(endSession)
  expect(closeTab()).toBe(false)
  await act(() => router.navigate('/other'))
  await screen.findByText('到了')
})
