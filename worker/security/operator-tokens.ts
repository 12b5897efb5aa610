import { OPERATOR_TOKENS_MAX } from '#contract/ops/limits.ts'
import { OPERATOR_SCOPES, type OperatorScope } from '#contract/kernel/permissions.ts'
import { remembered, sha256, timingSafeEqual, toHex } from './secrets.ts'

/* Tokens of the operator: OPERATOR_TOKEN, which holds every scope, and the named ones of OPERATOR_TOKENS. */

/** Holder of an operator token. Audit rows carry the name. */
export interface Operator {
  readonly name: string
  readonly scope: OperatorScope
}

/** Name of the holder of OPERATOR_TOKEN. */
const SHARED: Operator = { name: 'operator', scope: 'admin' }
const LENGTH_MIN = 16

interface OperatorEnv {
  readonly OPERATOR_TOKEN: string | undefined
  readonly OPERATOR_TOKENS?: string | undefined
}

/** Finds the holder of a token in constant time; null for none. A missing or short OPERATOR_TOKEN admits nobody. */
export async function findOperator(env: OperatorEnv, token: string): Promise<Operator | null> {
  const shared = env.OPERATOR_TOKEN ?? ''
  if (shared.length >= LENGTH_MIN && timingSafeEqual(token, shared)) return SHARED
  const hash = toHex(await sha256(token))
  const found = parseTokens(env.OPERATOR_TOKENS ?? '').filter((known) => timingSafeEqual(known.hash, hash))
  return found[0]?.operator ?? null
}

/** Entry of OPERATOR_TOKENS for a token: `name:scope:hash`. */
export const toTokenEntry = async ({ name, scope }: Operator, token: string): Promise<string> =>
  `${name}:${scope}:${toHex(await sha256(token))}`

const ENTRY = new RegExp(`^([a-z][a-z0-9._-]{0,31}):(${OPERATOR_SCOPES.join('|')}):([0-9a-f]{64})$`)

/** Throws at a malformed setting: a guard that is half read must not open. */
const parseTokens = remembered((text: string) => {
  const entries = text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [ENTRY.exec(entry.trim())]))
  const known = entries.map((match) => {
    if (match === null)
      throw new Error(`OPERATOR_TOKENS: name:${OPERATOR_SCOPES.join('|')}:SHA-256 in hex, comma separated`)
    const [, name = '', scope = '', hash = ''] = match
    return { operator: { name, scope: scope as OperatorScope }, hash }
  })
  for (const { operator } of known) {
    const count = known.filter((other) => other.operator.name === operator.name).length
    if (count > OPERATOR_TOKENS_MAX) throw new Error(`OPERATOR_TOKENS: ${operator.name} has more than two tokens`)
  }
  return known
})
