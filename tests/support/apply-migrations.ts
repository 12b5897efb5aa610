import { applyD1Migrations, env, reset } from 'cloudflare:test'

// Test files share a runtime, whose modules are loaded once, but neither rows nor objects.
await reset()
await applyD1Migrations(env.DB, env.MIGRATIONS)
