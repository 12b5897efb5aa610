import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Boundary } from '../../../web/app/error-pages/boundary.tsx'
import { pageMoves } from '../../../web/lib/page-moves.ts'
import { noAnswer } from '../../../web/lib/transport.ts'

const MISSING = new TypeError('Failed to fetch dynamically imported module')
addEventListener('error', (event) => event.preventDefault()) // jsdom prints what the boundary is there to catch
const reload = vi.spyOn(pageMoves, 'reload').mockImplementation(() => {})

function open(error: unknown, newest: string) {
  reload.mockClear()
  sessionStorage.clear()
  vi.spyOn(console, 'error').mockImplementation(() => {}) // React tells of what the boundary caught
  document.head.innerHTML = '<script type="module" src="/assets/index-1.js"></script>'
  const fetched = vi.fn<() => Promise<Response>>(
    async () => new Response(`<script type="module" src="${newest}"></script>`),
  )
  vi.stubGlobal('fetch', fetched)
  const Broken = () => {
    throw error
  }
  render(
    <Boundary>
      <Broken />
    </Boundary>,
  )
  return fetched
}

afterEach(() => vi.unstubAllGlobals())

it('a chunk that went with a release brings the new page, without a word', async () => {
  open(MISSING, '/assets/index-2.js')
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(screen.queryByText('页面加载失败')).toBeNull()
})

it('a chunk that does not come for another reason can be tried again', async () => {
  open(MISSING, '/assets/index-1.js')
  expect(await screen.findByRole('button', { name: '重试' })).toBeTruthy()
  expect(reload).not.toHaveBeenCalled()
})

it('a server that did not answer is no release', () => {
  expect(open(noAnswer(), '/assets/index-2.js')).not.toHaveBeenCalled()
  expect(screen.getByRole('alert').textContent).toContain('系统响应超时,请稍候尝试')
})
