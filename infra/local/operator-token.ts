import { parseArgs } from 'node:util'
import { OPERATOR_SCOPES, type OperatorScope } from '#contract/kernel/permissions.ts'
import { findOperator, toTokenEntry } from '#security/operator-tokens.ts'
import { randomHex } from '#security/secrets.ts'

/** A new operator token and its entry for OPERATOR_TOKENS, by `--name li.na --scope support`. Throws for others. */
export async function createOperatorToken(words: readonly string[]) {
  const options = { name: { type: 'string', default: '' }, scope: { type: 'string', default: 'read' } } as const
  const { name, scope } = parseArgs({ args: [...words], options }).values
  if (!OPERATOR_SCOPES.includes(scope as OperatorScope))
    throw new Error(`--scope: one of ${OPERATOR_SCOPES.join(', ')}`)
  const token = randomHex(32)
  const entry = await toTokenEntry({ name, scope: scope as OperatorScope }, token)
  await findOperator({ OPERATOR_TOKEN: '', OPERATOR_TOKENS: entry }, token) // throws for a name that the Worker would refuse
  return { token, entry }
}
