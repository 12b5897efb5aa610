import { expect, it } from 'vitest'
import { DIRECTORY_PASSWORD, hashPassword, isPassword } from '#security/password.ts'

it('a password is hashed at the cost of the product, which the suites of the API replace', async () => {
  const stored = await hashPassword('Weilai26')
  expect(stored).toMatch(/^scrypt\$16384\$8\$5\$/)
  expect(await isPassword('Weilai26', stored)).toBe(true)
  for (const [typed, hash] of [
    ['weilai26', stored],
    ['', stored],
    ['Weilai26', null],
    ['Weilai26', DIRECTORY_PASSWORD],
  ] as const)
    expect(await isPassword(typed, hash)).toBe(false)
})
