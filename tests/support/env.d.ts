import type { D1Migration } from 'cloudflare:test'

declare global {
  namespace Cloudflare {
    interface Env {
      DB: D1Database
      /** Second database of the project `workerd`, for a copy that is behind. */
      COPY: D1Database
      MIGRATIONS: D1Migration[]
      TEST_LIMIT: RateLimit
    }
  }
}
