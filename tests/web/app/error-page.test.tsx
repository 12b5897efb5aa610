import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ErrorPage } from '#app/error-pages/error-page.tsx'
import * as chunkReload from '#app/chunk-reload.ts'
import { navigation } from '#lib/navigation.ts'
import { networkError } from '#lib/call/transport.ts'
import { failing, fakeApi } from '../lib/fake-api.ts'
import { createSession } from '../lib/fixtures.ts'

vi.mock('#app/chunk-reload.ts', () => ({ isReloading: vi.fn<() => boolean>() }))
const reload = vi.spyOn(navigation, 'reload').mockImplementation(() => {})
const MISSING = new TypeError('Failed to fetch dynamically imported module')

beforeEach(() => void vi.mocked(chunkReload.isReloading).mockReturnValue(false))
afterEach(() => {
  vi.useRealTimers()
  reload.mockClear()
})

it('a chunk that did not load can be tried again', async () => {
  render(<ErrorPage error={MISSING} />)
  expect(screen.getByRole('alert').textContent).toContain('网络不稳定')
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(reload).toHaveBeenCalledTimes(1)
})

it('shows nothing while the page is reloaded for a new release', () => {
  vi.mocked(chunkReload.isReloading).mockReturnValue(true)
  render(<ErrorPage error={MISSING} />)
  expect(screen.queryByText('页面加载失败')).toBeNull()
})

it('shows what the API refused', () => {
  render(<ErrorPage error={networkError()} />)
  expect(screen.getByRole('alert').textContent).toContain('系统响应超时,请稍候尝试')
})

it('asks for the session again by itself, and reloads once it is answered', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const api = fakeApi({ 'login/refresh': failing(new TypeError('Failed to fetch')) })
  render(<ErrorPage error={networkError()} />)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(api.paths().length).toBeGreaterThanOrEqual(2)
  expect(reload).not.toHaveBeenCalled()
  api.set('login/refresh', { data: createSession() })
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  await vi.waitFor(() => expect(reload).toHaveBeenCalled(), { timeout: 20_000 })
})

it('does not reload by itself where a chunk is missing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const api = fakeApi({})
  render(<ErrorPage error={MISSING} />)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect([api.paths(), reload.mock.calls]).toEqual([[], []])
})
