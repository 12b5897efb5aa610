import { env, reset } from 'cloudflare:test'
import { randomHex } from '#security/secrets.ts'

/*
 * Setup file. The first test file of a runtime gives it a database of its own in place of the D1 of wrangler.toml; each file
 * begins with an empty one, migrated.
 */
await reset()
if (Reflect.has(env, 'DB')) {
  Object.assign(env, { LIBSQL_URL: `${env.LIBSQL_URL}/${randomHex(8)}/` })
  Reflect.deleteProperty(env, 'DB')
}
await fetch(env.LIBSQL_URL ?? '', { method: 'DELETE', headers: { authorization: `Bearer ${env.LIBSQL_TOKEN}` } })
