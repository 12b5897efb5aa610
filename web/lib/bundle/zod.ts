import { config } from 'zod/v4'

/**
 * Stands in for `zod` in the bundle (vite.config.ts): configured before the first schema is made, because z.object()
 * probes for eval, which the page's policy forbids and browsers report.
 */
config({ jitless: true })

export * from 'zod/v4'
