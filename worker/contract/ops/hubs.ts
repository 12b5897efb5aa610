import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { HUB_KINDS } from '#contract/kernel/hubs.ts'

/* Operator's endpoint that makes hubs read their rows again. */

/** Cursor of the next page: kind and id of the last row before it. */
const cursor = z.string().regex(new RegExp(`^(${HUB_KINDS.join('|')}):\\d{1,15}$`))

export const hubOps = {
  refreshHubs: write('hubs/refresh', 'operator:admin', {
    summary: 'Make every hub read its rows again, a page at a time: after a database was restored',
    input: z.object({ after: cursor.optional() }),
    output: z.object({ queued: z.int(), next: cursor.nullable() }),
    done: 'submitted',
  }),
} as const
