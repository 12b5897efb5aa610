import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from './paths.ts'

export type Secrets = ReturnType<typeof localSecrets>

const FILE = '.dev.vars'

/** Secrets of local runs, from .dev.vars. Missing ones are created once, so that sessions and devices outlive a restart. */
export function localSecrets() {
  const file = inRoot(FILE)
  const known = existsSync(file) ? parse(readFileSync(file, 'utf8')) : {}
  const random = () => randomBytes(32).toString('hex')
  const secrets = {
    JWT_KEYS: known['JWT_KEYS'] ?? `k1:${random()}`,
    TICKET_KEYS: known['TICKET_KEYS'] ?? `k1:${random()}`,
    HMAC_SECRET: known['HMAC_SECRET'] ?? random(),
    OPERATOR_TOKEN: known['OPERATOR_TOKEN'] ?? random(),
    SEAL_KEYS: known['SEAL_KEYS'] ?? `k1:${random()}`,
    ...(known['OPERATOR_TOKENS'] && { OPERATOR_TOKENS: known['OPERATOR_TOKENS'] }),
  }
  const text = Object.entries({ ...known, ...secrets }).map(([name, value]) => `${name}="${value}"\n`)
  if (Object.keys(secrets).some((name) => !(name in known))) writeFileSync(file, text.join(''), { mode: 0o600 })
  return secrets
}

function parse(text: string): Record<string, string> {
  const pairs = text.matchAll(/^([A-Z_]+)\s*=\s*"?([^"\n]*)"?$/gm)
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name, value]))
}
