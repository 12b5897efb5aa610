import { env } from 'cloudflare:test'
import { randomHex } from '../../../worker/security/secrets.ts'

// A migrated database for each test file, as on D1; the D1 binding of wrangler.toml is taken away.
Object.assign(env, { LIBSQL_URL: `${env.LIBSQL_URL}/${randomHex(8)}/` })
if (!Reflect.deleteProperty(env, 'DB')) throw new Error('D1 is still bound')
