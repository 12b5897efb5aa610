import { describe, expect, it } from 'vitest'
import { guardRoute, loginAddress } from '#app/guard.ts'
import { toAccess } from '#app/pages.ts'
import { toGrants } from '#lib/session/session.ts'
import { createUser } from '../lib/fixtures.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const visit = (address: string, grants: Parameters<typeof guardRoute>[0]['grants']) => {
  const { pathname, search } = new URL(address, 'https://console.test')
  const result = guardRoute({ pathname, search, access: toAccess(pathname), grants })
  return result.kind === 'redirect' ? `redirect ${result.to}` : result.kind
}

describe('route guard (account 2)', () => {
  it('anonymous: public addresses are open, others lead to the sign-in', async () => {
    const offenders = await findOffenders([
      ['/login', 'allow'],
      ['/login/index', 'allow'],
      ['/register', 'allow'],
      ['/reset', 'allow'],
      ['/clause', 'allow'],
      ['/privacy', 'allow'],
      ['/handbook?id=3', 'allow'],
      ['/download', 'allow'],
      ['/validate/email?s=1', 'allow'],
      ['/', 'redirect /login'],
      ['/dashboard', 'redirect /login'],
      ['/404/index', 'redirect /login'],
      ['/no/such/page', 'redirect /login'],
      ['/network/lists?page=2', 'redirect /login?redirect=%2Fnetwork%2Flists%3Fpage%3D2'],
    ])((address, result) => expect(visit(address, null)).toBe(result))
    expect(offenders).toEqual([])
  })

  it.each([
    ['/login', 'redirect /'],
    ['/login/index', 'redirect /'],
    ['/login?redirect=%2Fnetwork%2Flists%3Fpage%3D2', 'redirect /network/lists?page=2'],
    ['/login?redirect=https%3A%2F%2Fevil.example', 'redirect /'],
    ['/dashboard', 'allow'],
    ['/register', 'allow'],
    ['/clause', 'allow'],
    ['/ram/index', 'allow'],
  ])('signed in at %s: %s', (address, result) => expect(visit(address, toGrants(createUser()))).toBe(result))

  it.each([
    ['/ram/index', 'forbidden'],
    ['/network/lists', 'allow'],
  ])('sub-account at %s: %s', (address, result) =>
    expect(visit(address, toGrants(createUser({ ram: 1 })))).toBe(result),
  )
})

it.each([
  ['/login', '?from=mail', '/login?from=mail'],
  ['/login/index', '?redirect=%2Faccount&x=1', '/login?redirect=%2Faccount&x=1'],
  ['/router/lists', '?redirect=%2Faccount', '/login?redirect=%2Faccount'],
  ['/router/lists', '?page=3', '/login?redirect=%2Frouter%2Flists%3Fpage%3D3'],
  ['/register', '', '/login'],
])('the login page for %s%s is %s', (pathname, search, expected) => {
  expect(loginAddress(pathname, search)).toBe(expected)
})
