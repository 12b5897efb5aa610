import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createSession } from '../lib/fixtures.ts'
import { openApp } from './open-app.tsx'

// The page loads these lazily; no test waits for the import.
import '#pages/router/list/router-list-page.tsx'
import '#pages/router/list/claim-dialog.tsx'

afterEach(() => vi.unstubAllGlobals())

const LINK = '/claim#NL22S033.ABCD-EFGH-JKLM'

it('the link of a box waits for the sign-in, and its code is in the address bar at no call', async () => {
  const seen: string[] = []
  const app = await openApp(LINK, {
    'login/refresh': () => {
      seen.push(location.href)
      return { code: 2003, msg: '请先登录' }
    },
  })
  await waitFor(() => expect(app.address()).toBe('/login?redirect=%2Frouter%2Flists%3Fclaim%3D1'))
  expect(seen).toHaveLength(1)
  expect(seen[0]).not.toContain('ABCD')
  expect(location.href).not.toContain('ABCD')
  const register = await screen.findByRole('link', { name: '注册账号' })
  expect(register.getAttribute('href')).toBe('/register?redirect=%2Frouter%2Flists%3Fclaim%3D1')
})

it('of somebody signed in opens the claim, filled in', async () => {
  const app = await openApp(LINK, { 'login/refresh': { data: createSession() } })
  const serial = await screen.findByLabelText<HTMLInputElement>(/^序列号/, { selector: 'input' }, { timeout: 10_000 })
  expect(serial.value).toBe('NL22S033')
  expect(app.address()).toBe('/router/lists')
})
