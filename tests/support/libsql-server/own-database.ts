import { env } from 'cloudflare:test'
import { inject } from 'vitest'
import { randomHex } from '../../../worker/security/secrets.ts'

// Setup file: a migrated database of its own for each test file, as on D1; removes the D1 binding of wrangler.toml.
Object.assign(env, { LIBSQL_URL: `${inject('libsqlUrl')}/${randomHex(8)}/` })
if (!Reflect.deleteProperty(env, 'DB')) throw new Error('D1 is still bound')
