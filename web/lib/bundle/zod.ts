import { config } from 'zod/v4'

/**
 * Stands in for `zod` in the bundle (vite.config.ts). Configured before the first schema, because z.object() probes for
 * eval, which the policy of the page forbids and browsers report.
 */
config({ jitless: true })

export * from 'zod/v4'
