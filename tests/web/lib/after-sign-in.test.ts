import { expect, it } from 'vitest'
import { findOffenders } from '#tests/support/offenders.ts'
import { afterSignIn } from '#lib/session/after-sign-in.ts'

it('a sign-in leads to the address that was asked for, on this site alone', async () => {
  const offenders = await findOffenders([
    ['', '/'],
    ['?redirect=%2Fnetwork%2Flists%3Fpage%3D2', '/network/lists?page=2'],
    ['?redirect=%2Faccount%3Ftoken%3Dabc%26x%3D1', '/account?x=1'],
    ['?redirect=https%3A%2F%2Fevil.example', '/'],
    ['?redirect=%2F%2Fevil.example', '/'],
    ['?redirect=%2F%5Cevil.example', '/'],
    ['?redirect=%2F%09%2Fevil.example', '/'],
    ['?redirect=%5C%5Cevil.example', '/'],
    ['?redirect=%2F.%2F%2Fevil.example', '/'],
    ['?redirect=%2F..%2F%2Fevil.example%2Fx', '/'],
    ['?redirect=%2Fnetwork%2F..%2F%2Fevil.example', '/'],
    ['?redirect=%2F%2F', '/'],
    ['?redirect=%20%2F%2Fevil.example', '/'],
    ['?redirect=JavaScript%3Aalert(1)', '/'],
    ['?redirect=data%3Atext%2Fhtml%2Cx', '/'],
    ['?redirect=javascript%3Aalert(1)', '/'],
    ['?redirect=%2Flogin%3Fredirect%3D%252F', '/'],
  ])((search, to) => expect(afterSignIn(search)).toBe(to))
  expect(offenders).toEqual([])
})
