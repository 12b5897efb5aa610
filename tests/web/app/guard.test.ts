import { describe, expect, it } from 'vitest'
import { judge } from '../../../web/app/guard.ts'
import { accessOf } from '../../../web/app/paths.ts'

const visit = (address: string, isSignedIn: boolean) => {
  const { pathname, search } = new URL(address, 'https://console.test')
  const verdict = judge({ pathname, search, access: accessOf(pathname), isSignedIn })
  return verdict.kind === 'enter' ? 'enter' : `${verdict.kind} ${verdict.to}`
}

describe('navigation guard (account 2)', () => {
  it.each([
    ['/login', 'enter'],
    ['/login/index', 'enter'],
    ['/login?token=abc', 'enter'],
    ['/register', 'enter'],
    ['/reset', 'enter'],
    ['/clause', 'enter'],
    ['/privacy', 'enter'],
    ['/handbook?id=3', 'enter'],
    ['/download', 'enter'],
    ['/validate/email?s=1', 'enter'],
    ['/', 'go /login'],
    ['/dashboard', 'go /login'],
    ['/404/index', 'go /login'],
    ['/no/such/page', 'go /login'],
    ['/network/lists?page=2', 'go /login?redirect=%2Fnetwork%2Flists%3Fpage%3D2'],
    ['/network/lists?token=abc&page=2', 'go /login?token=abc&redirect=%2Fnetwork%2Flists%3Fpage%3D2'],
    ['/?token=abc', 'go /login?token=abc'],
  ])('anonymous at %s: %s', (address, verdict) => expect(visit(address, false)).toBe(verdict))

  it.each([
    ['/login', 'go /'],
    ['/login/index', 'go /'],
    ['/dashboard', 'enter'],
    ['/register', 'enter'],
    ['/clause', 'enter'],
    ['/login?token=abc', 'sign-out /login?token=abc'],
    ['/router/lists?token=abc&redirect=%2Faccount', 'sign-out /login?token=abc&redirect=%2Faccount'],
  ])('signed in at %s: %s', (address, verdict) => expect(visit(address, true)).toBe(verdict))
})
