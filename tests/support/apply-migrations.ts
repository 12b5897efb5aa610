import { env, reset } from 'cloudflare:test'
import { createSchema } from './migrated-schema.ts'

// Setup file. Test files share a runtime, whose modules are loaded once, but neither rows nor objects.
await reset()
await createSchema(env.DB)
