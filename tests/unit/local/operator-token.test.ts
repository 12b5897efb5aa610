import { expect, it } from 'vitest'
import { createOperatorToken } from '#infra/local/operator-token.ts'
import { findOperator } from '#security/operator-tokens.ts'

it('a new operator token has an entry by which the Worker knows its name and scope, and which does not show it', async () => {
  const { token, entry } = await createOperatorToken(['--name', 'li.na', '--scope', 'support'])
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(entry).not.toContain(token)
  const env = { OPERATOR_TOKEN: '', OPERATOR_TOKENS: entry }
  expect(await findOperator(env, token)).toEqual({ name: 'li.na', scope: 'support' })
  expect(await findOperator(env, entry)).toBeNull()
})

it.each([
  [['--scope', 'read'], 'OPERATOR_TOKENS'],
  [['--name', '李娜'], 'OPERATOR_TOKENS'],
  [['--name', 'li', '--scope', 'root'], '--scope: one of read, support, admin'],
  [['--nme', 'li'], "Unknown option '--nme'"],
])('%j is refused', async (words, message) => {
  await expect(createOperatorToken(words)).rejects.toThrow(message)
})
