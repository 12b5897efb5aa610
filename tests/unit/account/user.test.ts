import { expect, it } from 'vitest'
import { personKey } from '#domain/account/user.ts'

it('a person is the account or one of its sub-accounts', () => {
  expect(personKey({ accountId: 7, ramId: null })).toBe('main:7')
  expect(personKey({ accountId: 7, ramId: 3 })).toBe('ram:3')
})
